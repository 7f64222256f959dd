// @ts-check
/** Talk at a table: Enter sends (but not the Enter that ends a conversion), what is written is never lost, and what
 * others say is marked and told without flooding anybody.
 *
 * The form lies beside #zone-talk, so no news touches it; it is emptied only when the server has taken the words.
 */

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("say"));
const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("words"));
const key = form?.dataset.key ?? "";
const QUIET = 4000;
const zone = () => document.getElementById("zone-talk");
const said = () => document.getElementById("zone-talk-said");
/** @returns {HTMLElement[]} */
const remarks = () => [...document.querySelectorAll("#zone-talk [data-remark]")].map((each) => /** @type {HTMLElement} */ (each));
/** @param {HTMLElement} remark */
const number = (remark) => Number(remark.dataset.remark);

/** @param {"localStorage" | "sessionStorage"} kind @param {string} name @param {string} [value] */
function kept(kind, name, value) {
  try {
    if (value !== undefined) window[kind].setItem(`${name}:${key}`, value);
    return window[kind].getItem(`${name}:${key}`) ?? "";
  } catch { return ""; /* a private window remembers nothing */ }
}

// ---- speaking

/** @type {string | null} */
let sent = null;
field?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  if (field.value.trim()) form?.requestSubmit();
});
field?.addEventListener("input", () => kept("sessionStorage", "words", field.value));
if (field && !field.value) field.value = kept("sessionStorage", "words");

form?.addEventListener("submit", (event) => {
  if (sent !== null) return event.preventDefault(); // one at a time: its answer is on its way
  if (form.hasAttribute("hx-post") && "htmx" in window) sent = field?.value ?? "";
  else kept("sessionStorage", "words", ""); // the page that answers shows again what was refused
}, true);

/** The name under which what is written next is said once. */
function rename() {
  const once = /** @type {HTMLInputElement | null} */ (form?.elements.namedItem("once"));
  if (once) once.value = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
}

document.addEventListener("htmx:before:response", (event) => {
  if (!form || event.target !== form || !field) return;
  const { response } = /** @type {CustomEvent} */ (event).detail.ctx;
  if (!response.headers.has("X-Request-ID")) unsent(); // answered by somebody between us
  else if (response.status < 300 && !response.headers.has("HX-Redirect") && sent !== null) {
    field.value = field.value.startsWith(sent) ? field.value.slice(sent.length).trimStart() : field.value;
    kept("sessionStorage", "words", field.value);
    rename();
  }
  sent = null;
});
document.addEventListener("htmx:error", (event) => { if (form && event.target === form) unsent(); });

function unsent() {
  sent = null;
  const place = said();
  if (!place) return;
  place.textContent = place.dataset.unsent ?? "";
  place.classList.add("error");
  place.hidden = false;
}

// ---- hearing

let told = Math.max(0, ...remarks().map(number));
let lately = 0;
let timer = 0;
/** @type {Set<string>} */
let opened = new Set();

const panel = () => document.getElementById("talk");
const seen = () => panel() !== null && !panel()?.hidden && document.visibilityState === "visible";
const list = () => /** @type {HTMLElement | null} */ (document.querySelector("#zone-talk .heard"));

/** Tells how many remarks of others have not been seen, in words and number on what opens the talk. */
function mark() {
  const latest = Math.max(0, ...remarks().map(number));
  if (seen()) kept("localStorage", "heard", String(latest));
  const known = Number(kept("localStorage", "heard"));
  const count = remarks().filter((each) => number(each) > known && !each.classList.contains("is-mine")).length;
  const badge = /** @type {HTMLElement | null} */ (document.querySelector("[data-opens=talk] .unread"));
  const digits = badge?.querySelector("b");
  if (!badge || !digits) return;
  digits.textContent = count > 49 ? "50+" : String(count);
  badge.hidden = !count;
}

/** Says politely what is new: one remark as it is, several as their number, and not again at once. */
function tell() {
  const news = remarks().filter((each) => number(each) > told && !each.classList.contains("is-mine"));
  const place = document.getElementById("talk-news");
  told = Math.max(told, ...remarks().map(number));
  lately = Date.now();
  if (!place || !news.length) return;
  const [one] = news;
  const words = `${one.querySelector(".who bdi")?.textContent}: ${one.querySelector(".words")?.textContent}`;
  place.textContent = news.length > 1 ? `${place.dataset.many} ${news.length}` : words.slice(0, 200);
}

/** Times in the reader's own zone, where the server does not know it. */
function sayTimes() {
  for (const time of document.querySelectorAll("time[data-clock]")) {
    const at = new Date(time.getAttribute("datetime") ?? "");
    const words = at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    if (time.textContent !== words) time.textContent = words;
  }
}

const toEnd = () => { const heard = list(); if (heard) heard.scrollTop = heard.scrollHeight; };
let atEnd = true;
document.addEventListener("scroll", (event) => {
  const heard = list();
  if (heard && event.target === heard) atEnd = heard.scrollHeight - heard.scrollTop - heard.clientHeight < 40;
}, true);

document.addEventListener("htmx:before:swap", () => {
  opened = new Set([...document.querySelectorAll("#zone-talk details[open]")].map((each) => each.id));
});
document.addEventListener("htmx:after:swap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  sayTimes();
  mark();
  if (atEnd) toEnd();
  window.clearTimeout(timer);
  timer = window.setTimeout(tell, Math.max(800, lately + QUIET - Date.now()));
});
document.addEventListener("visibilitychange", mark);
const drawer = panel();
if (drawer) {
  new MutationObserver(() => {
    if (drawer.hidden) return;
    atEnd = true;
    toEnd();
    mark();
  }).observe(drawer, { attributes: true, attributeFilter: ["hidden"] });
}
sayTimes();
toEnd();
mark();
