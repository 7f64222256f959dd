// @ts-check
/** The board by keyboard: one stop for Tab, arrow keys from spot to spot, and a place for the focus when what had it is gone.
 *
 * Spots are the elements with [data-pick] that pick.js made legal; it says so by the event `pick:shown`.
 */

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SENTENCE = "#zone-action .say";
let byKeys = false; // the last thing used was the keyboard
let inList = false; // the focus was last in the list of all choices
/** @type {Element | null} */
let last = null; // where the focus was last

/** @typedef {HTMLElement | SVGElement} Spot */

/** From part to part of a score. @param {Element} part @param {string} key */
function step(part, key) {
  const parts = [.../** @type {NodeListOf<HTMLElement>} */ (part.parentElement?.querySelectorAll("[data-part]") ?? [])];
  const at = parts.findIndex((each) => each === part);
  const to = key === "Home" ? 0 : key === "End" ? parts.length - 1 : at + (key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1);
  parts[Math.max(0, Math.min(to, parts.length - 1))]?.focus();
}

/** @param {Spot} spot */
const middle = (spot) => { const box = spot.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };

/** The spots in the order in which one reads. */
const spots = () => [.../** @type {NodeListOf<Spot>} */ (document.querySelectorAll("[data-pick].legal"))]
  .filter((spot) => spot.checkVisibility()).map((spot) => ({ spot, x: middle(spot)[0], y: middle(spot)[1] }))
  .sort((a, b) => Math.abs(a.y - b.y) > 12 ? a.y - b.y : a.x - b.x).map((each) => each.spot);

/** The next spot in a direction. @param {Spot} from @param {number[]} direction @returns {Spot | undefined} */
const next = (from, [dx, dy]) => spots().map((spot) => {
  const [right, down] = [middle(spot)[0] - middle(from)[0], middle(spot)[1] - middle(from)[1]];
  return { spot, along: right * dx + down * dy, aside: Math.abs(right * dy + down * dx) };
}).filter((each) => each.along > 4).sort((a, b) => a.along + 2 * a.aside - b.along - 2 * b.aside)[0]?.spot;

/** One spot can be reached by Tab: the one that has or had the focus, else the first. */
function rove() {
  const all = spots();
  const stop = all.find((spot) => spot === document.activeElement) ?? all.find((spot) => spot === last) ?? all[0];
  for (const spot of document.querySelectorAll("[data-pick][tabindex]")) spot.setAttribute("tabindex", spot === stop ? "0" : "-1");
  return stop;
}

/** Whether nothing that can be used has the focus. */
function lost() {
  const now = document.activeElement;
  return !now || now === document.body || now.matches(":disabled, [hidden], [hidden] *, svg [data-pick]:not([tabindex])");
}

/** Gives the focus a place if it has lost its own: the list, the board, or the sentence that says what goes on. */
function settle() {
  const stop = rove();
  const sentence = /** @type {HTMLElement | null} */ (document.querySelector(SENTENCE));
  const parked = sentence !== null && document.activeElement === sentence;
  if (!byKeys || last === null || !(lost() || (parked && stop))) return;
  const listed = inList ? /** @type {HTMLElement | null} */ (document.querySelector("details[open] #zone-choices button")) : null;
  if (listed ?? stop) (listed ?? stop)?.focus();
  else if (sentence) {
    sentence.tabIndex = -1;
    sentence.focus();
  }
}

document.addEventListener("pointerdown", () => { byKeys = false; }, true);
document.addEventListener("focusin", (event) => {
  last = event.target instanceof Element ? event.target : null;
  inList = Boolean(last?.closest("#zone-choices"));
  if (last?.matches("[data-pick]")) rove();
});
document.addEventListener("keydown", (event) => {
  byKeys = true;
  const from = event.target instanceof Element ? event.target : null;
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in ARROWS || event.key === "Home" || event.key === "End")) return;
  if (from?.matches("[data-part]")) {
    event.preventDefault();
    return step(from, event.key);
  }
  const here = /** @type {Spot | null} */ (from?.closest("[data-pick][tabindex]"));
  if (!here && from !== document.body && !from?.matches(SENTENCE)) return;
  const all = spots();
  const to = event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1)
    : here ? next(here, ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)]) : rove();
  if (here || to) event.preventDefault();
  to?.focus();
});
document.addEventListener("pick:shown", settle);
document.addEventListener("htmx:after:swap", settle);
rove();
