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

/** Without capitals, and kana alike whether typed wide or narrow. @param {string} text */
const plain = (text) => text.normalize("NFKC").toLocaleLowerCase();

/** Shows only the paragraphs of the rules that have all the words. @param {HTMLInputElement} field */
function find(field) {
  const words = plain(field.value).split(/\s+/u).filter(Boolean);
  const page = document.querySelector("#main");
  let found = 0;
  for (const part of document.querySelectorAll("#main [data-find]")) {
    const text = plain(part.textContent ?? "");
    const fits = words.every((word) => text.includes(word));
    part.classList.toggle("is-other", !fits);
    if (fits) found += 1;
    const fold = part.closest("details");
    if (fold && words.length && fits) fold.open = true;
  }
  for (const part of document.querySelectorAll("#main section, #main .chapter-group")) {
    part.classList.toggle("is-other", !part.querySelector("[data-find]:not(.is-other)"));
  }
  page?.classList.toggle("is-searched", words.length > 0);
  const tally = document.getElementById("found");
  if (tally) tally.textContent = words.length ? (tally.dataset.words ?? "#").replace("#", String(found)) : "";
}

/** Marks in the contents which chapter is being read. */
function follow() {
  const links = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.getAttribute("href"), link]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(`#${entry.target.id}`)?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-10% 0px -75% 0px" },
  );
  for (const part of document.querySelectorAll("#main [data-part]")) seen.observe(part);
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest("button[data-copies]");
  if (button) void copy(button);
  const drawer = target?.closest("[data-opens], [data-closes]");
  if (drawer && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    slide(drawer);
  }
});

document.addEventListener("keydown", (event) => {
  const shut = event.key === "Escape" && document.querySelector("aside:not([hidden]) > header [data-closes]");
  if (shut) slide(shut);
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.name === "seats" && field.form) settle(field.form);
});

document.addEventListener("input", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.id === "find") find(event.target);
});

const status = () => document.getElementById("zone-status")?.dataset ?? {};
let { turn, version } = status();

/** Says so when it becomes my turn while I look elsewhere on the page. */
function noticeTurn() {
  const notice = document.getElementById("your-turn");
  if (notice && status().turn === "mine" && turn === "other") {
    notice.hidden = false;
    setTimeout(() => (notice.hidden = true), 4000);
  }
  turn = status().turn;
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
  drawer.hidden = !opening || !drawer.hidden;
  readLog();
  const next = drawer.hidden ? document.querySelector(`[data-opens="${drawer.id}"]`) : drawer.querySelector("[data-closes]");
  if (next instanceof HTMLElement) next.focus();
}

document.addEventListener("htmx:after:swap", () => {
  offerCopies();
  noticeTurn();
  if (version !== status().version) readLog();
  version = status().version;
});
offerCopies();

const search = document.getElementById("search");
if (search) {
  search.hidden = false;
  search.addEventListener("submit", (event) => event.preventDefault());
  follow();
}
