// @ts-check
/** Small comforts of the pages around a table. Everything here works without it, only less comfortably. */

/** Copies what stands in another field: `<button data-copies="its-id" hidden>`; the second span says that it is done. */
function offerCopies() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("button[data-copies][hidden]")) button.removeAttribute("hidden");
}

/** @param {Element} button */
async function copy(button) {
  const field = document.getElementById(button.getAttribute("data-copies") ?? "");
  if (!(field instanceof HTMLInputElement)) return;
  field.select();
  await navigator.clipboard.writeText(field.value);
  const [ask, done] = button.querySelectorAll("span");
  ask?.toggleAttribute("hidden", true);
  done?.toggleAttribute("hidden", false);
  setTimeout(() => {
    ask?.toggleAttribute("hidden", false);
    done?.toggleAttribute("hidden", true);
  }, 2000);
}

/** A choice that the number of seats no longer offers gives way to the first one that it does. @param {HTMLFormElement} form */
function settle(form) {
  for (const group of form.querySelectorAll(".option")) {
    const chosen = group.querySelector("input:checked");
    const label = chosen?.closest("label");
    if (label && group.checkVisibility() && !label.checkVisibility()) {
      const offered = [...group.querySelectorAll("label")].find((each) => each.checkVisibility());
      const input = offered?.querySelector("input");
      if (input) input.checked = true;
    }
  }
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest("button[data-copies]");
  if (button) void copy(button);
  const link = target?.closest("a[href^='#']:not([href='#'])");
  if (link && link.getAttribute("href") === location.hash) {
    event.preventDefault(); // a second click on what is shown takes it back
    location.hash = "";
  }
  const drawer = target?.closest("[data-opens], [data-closes]");
  if (drawer && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    slide(drawer);
  }
});

document.addEventListener("keydown", (event) => {
  const shut = event.key === "Escape" && !event.isComposing && document.querySelector("aside:not([hidden]) > header [data-closes]");
  if (shut) slide(shut);
});

/** A plain form is sent once, however fast its button is clicked twice. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented || form.hasAttribute("hx-post")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "once";
  setTimeout(() => delete form.dataset.sent, 3000);
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.name === "seats" && field.form) settle(field.form);
});

const status = () => document.getElementById("zone-status")?.dataset ?? {};
const LONG = 8000;
let { turn, version } = status();
let waitingSince = Date.now();

/** Says so when it becomes my turn after a while in which I may have looked elsewhere. */
function noticeTurn() {
  const notice = document.getElementById("your-turn");
  const now = status().turn;
  if (now !== "mine" && turn === "mine") waitingSince = Date.now();
  if (notice && now === "mine" && turn === "other" && Date.now() - waitingSince > LONG) {
    notice.hidden = false;
    setTimeout(() => (notice.hidden = true), 4000);
  }
  turn = now;
}

/** Has the lines of an open log fetched. */
function readLog() {
  const lines = document.getElementById("log-entries");
  if (lines && !lines.closest("[hidden]")) lines.dispatchEvent(new CustomEvent("log:open"));
}

/** Opens or shuts a drawer: `data-opens="log"`, `data-closes="log"`. @param {Element} button */
function slide(button) {
  const opening = button.getAttribute("data-opens");
  const drawer = document.getElementById(opening ?? button.getAttribute("data-closes") ?? "");
  if (!drawer) return;
  for (const other of opening ? document.querySelectorAll("aside:has(> header [data-closes])") : []) {
    if (other instanceof HTMLElement && other !== drawer) other.hidden = true;
  }
  drawer.hidden = !opening || !drawer.hidden;
  readLog();
  const next = drawer.hidden ? document.querySelector(`[data-opens="${drawer.id}"]`) : drawer.querySelector("[data-closes]");
  if (next instanceof HTMLElement) next.focus();
}

/** Says moments in the reader's language and time zone: `<time datetime="2026-12-01T14:00Z" data-moment>`. */
function sayMoments() {
  for (const time of document.querySelectorAll("time[data-moment]")) {
    const at = new Date(time.getAttribute("datetime") ?? "");
    const words = at.toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
    if (!Number.isNaN(at.getTime()) && time.textContent !== words) time.textContent = words;
  }
}

document.addEventListener("htmx:after:swap", () => {
  offerCopies();
  sayMoments();
  noticeTurn();
  if (version !== status().version) readLog();
  version = status().version;
});
offerCopies();
sayMoments();

/** The time zone this browser is in, where a form asks for it and none was chosen yet. */
for (const field of document.querySelectorAll("input[data-time-zone], select[data-time-zone]")) {
  const asked = /** @type {HTMLInputElement | HTMLSelectElement} */ (field);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = asked instanceof HTMLInputElement || [...asked.options].some((each) => each.value === zone);
  if (!asked.value && known) asked.value = zone;
}
