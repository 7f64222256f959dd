// @ts-check
/** Leafing through earlier moments, by key, by a click on the track and by itself; the address says what is shown. */

const LEAVES = /** @type {Record<string, string>} */ ({ ArrowLeft: "prev", ArrowRight: "next", Home: "first" });
const PACE = 1600; // milliseconds a moment at single speed
const KEPT = "replay-speed";
let playing = 0; // the timer, while it plays by itself

const moment = () => document.getElementById("moment");
const now = () => Number(moment()?.dataset.at ?? -1);
/** @param {string} rel */
const link = (rel) => /** @type {HTMLAnchorElement | null} */ (document.querySelector(`#moment a[href][rel=${rel}]`));
const speed = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("speed"));

/** Shows another moment without leaving the page. @param {string} address */
function go(address) {
  const htmx = /** @type {any} */ (window).htmx;
  if (htmx) htmx.ajax("GET", address, { swap: "none", source: "#moment", target: "#moment" });
  else location.assign(address);
}

/** What the page shows of it: where on the track, and whether it plays. */
function show() {
  const at = now();
  let here = null;
  for (const mark of document.querySelectorAll("#track a")) {
    const turn = Number(/** @type {HTMLElement} */ (mark).dataset.at);
    mark.parentElement?.classList.toggle("past", turn <= at);
    mark.removeAttribute("aria-current");
    if (!here && turn >= at) here = mark;
  }
  here?.setAttribute("aria-current", "step");
  for (const line of document.querySelectorAll("#recap .moves a")) {
    const then = Number(/** @type {HTMLElement} */ (line).dataset.at);
    line.classList.toggle("next", then > at);
    line.toggleAttribute("aria-current", then === at);
    if (then === at) line.scrollIntoView({ block: "nearest" });
  }
  const place = /** @type {HTMLInputElement | null} */ (document.querySelector(".places [name=at]"));
  if (place) place.value = String(at);
  const button = document.getElementById("play");
  button?.removeAttribute("hidden");
  button?.setAttribute("aria-pressed", String(playing > 0));
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  show();
}

/** The line of what happened meanwhile that comes after this moment. */
const nextLine = () => [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#recap .moves a"))]
  .find((line) => Number(line.dataset.at) > now());

/** One moment on, after a while; the last of them leads to how the table stands. */
function play() {
  clearTimeout(playing);
  playing = window.setTimeout(() => {
    const line = nextLine();
    const next = document.getElementById("recap") ? null : link("next");
    if (line?.search) return go(line.href);
    stop();
    if (line) location.assign(line.href);
    else if (next) {
      next.click();
      if (next.hasAttribute("hx-get")) play();
    }
  }, PACE / Number(speed()?.value || 1));
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("#play")) {
    if (playing) return stop();
    play();
    return show();
  }
  const mark = /** @type {HTMLAnchorElement | null} */ (target?.closest("#track a, #recap a") ?? null);
  if (playing && event.isTrusted && target?.closest("#moment a, #track a, #recap a")) stop();
  if (!mark?.search || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(mark.href);
});

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in LEAVES)) return;
  if (target?.closest("input, textarea, select, [data-part]")) return;
  link(LEAVES[event.key])?.click();
});

document.addEventListener("change", (event) => {
  if (event.target === speed()) try { localStorage.setItem(KEPT, speed()?.value ?? "1"); } catch { /* not remembered */ }
  else if (event.target instanceof HTMLSelectElement) event.target.form?.matches(".places, #analysis form") && event.target.form.requestSubmit();
});

document.addEventListener("htmx:after:swap", () => {
  const address = /** @type {HTMLElement | null} */ (document.querySelector("[data-address]"))?.dataset.address;
  if (address) history.replaceState(null, "", `${address}${location.hash}`);
  if (!moment()) return;
  if (playing) play();
  show();
});

/** The speed that was chosen last. */
function remember() {
  const list = speed();
  list?.parentElement?.removeAttribute("hidden");
  try { if (list) list.value = localStorage.getItem(KEPT) ?? list.value; } catch { /* a private window */ }
}

for (const form of document.querySelectorAll(".places, #analysis form")) form.classList.add("by-itself");
if (moment()) {
  remember();
  if (document.querySelector("[data-plays]")) play();
  show();
}
