// @ts-check
/** Shows that something is under way when its answer takes a while. Nothing depends on it: a browser without scripts says
 * so itself. Clicks at a board have a sign of their own (live.js). */

const SOON = 400;
const LONGEST = 20_000;
const root = document.documentElement;
let timer = 0;
/** @type {HTMLElement | null} */
let pressed = null;
let byHtmx = false;

/** @param {boolean} busy */
function show(busy) {
  root.toggleAttribute("data-busy", busy);
  if (busy) pressed?.setAttribute("aria-busy", "true");
  else pressed?.removeAttribute("aria-busy");
  const words = document.getElementById("busy");
  if (words) words.textContent = busy ? words.dataset.words ?? "" : "";
}

/** @param {HTMLElement | null} button */
function begin(button) {
  end();
  pressed = button;
  timer = window.setTimeout(() => {
    show(true);
    timer = window.setTimeout(end, LONGEST); // what it was may be a file, and the page stays
  }, SOON);
}

function end() {
  window.clearTimeout(timer);
  show(false);
  pressed = null;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.id === "act") return;
  byHtmx = form.hasAttribute("hx-post");
  if (event.defaultPrevented && !byHtmx) return; // it was sent a moment ago
  begin(/** @type {SubmitEvent} */ (event).submitter);
});
for (const name of ["htmx:finally:request", "htmx:error"]) document.addEventListener(name, () => { if (byHtmx) end(); });
document.addEventListener("page:leaves", () => begin(null));
window.addEventListener("pageshow", end);
