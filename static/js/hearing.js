// @ts-check
/** Hearing at a table: what others said is marked where the talk opens until it was seen, and told to who listens to the
 * page without flooding them; the list stays where it is, or at its end.
 */

const QUIET = 4000;
const key = document.getElementById("say")?.dataset.key ?? "";
const remarks = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#zone-talk [data-remark]")]);
/** @param {HTMLElement} remark */
const number = (remark) => Number(remark.dataset.remark);

/** The number of the latest remark that was seen in this browser. @param {number} [latest] */
function heard(latest) {
  try {
    if (latest !== undefined) localStorage.setItem(`heard:${key}`, String(latest));
    return Number(localStorage.getItem(`heard:${key}`) ?? 0);
  } catch { return latest ?? 0; /* a private window remembers nothing */ }
}

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
  const known = seen() ? heard(latest) : heard();
  const count = remarks().filter((each) => number(each) > known && !each.classList.contains("is-mine")).length;
  const badge = /** @type {HTMLElement | null} */ (document.querySelector("[data-opens=talk] .unread"));
  const digits = badge?.querySelector("b");
  if (!badge || !digits) return;
  digits.textContent = String(count);
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
  const words = `${one.querySelector(".speaker bdi")?.textContent}: ${one.querySelector(".words")?.textContent}`;
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

const toEnd = () => { const place = list(); if (place) place.scrollTop = place.scrollHeight; };
let atEnd = true;
document.addEventListener("scroll", (event) => {
  const place = list();
  if (place && event.target === place) atEnd = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
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
