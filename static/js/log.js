// @ts-check
/** The log in its drawer: filtered as one chooses, opened where points are explained, and leafed through with the board.
 *
 * data-explains="0:trees" (a seat and a part of its score, or ":" for all) opens the log at what made those points.
 */

const drawer = document.getElementById("log");
const filter = /** @type {HTMLFormElement | null} */ (document.getElementById("log-filter"));
/** @type {Element | null} */
let held = null; // the part of a score that had the focus before a finger came
const read = () => document.getElementById("log-entries")?.dispatchEvent(new CustomEvent("log:open"));

/** Chooses in a list, if it has that choice. @param {string} name @param {string} value */
function choose(name, value) {
  const list = /** @type {HTMLSelectElement | null} */ (filter?.querySelector(`select[name=${name}]`) ?? null);
  if (list && [...list.options].some((option) => option.value === value)) list.value = value;
}

/** @param {Element} part */
function explain(part) {
  const [seat, name] = (part.getAttribute("data-explains") ?? ":").split(":");
  choose("who", seat);
  choose("what", name ? `points:${name}` : "points");
  if (drawer?.hidden) /** @type {HTMLElement | null} */ (document.querySelector("[data-opens=log]"))?.click();
  else read();
}

/** On a page that shows an earlier moment, a line of the log leads there without leaving the page. @param {MouseEvent} event */
function leaf(event) {
  const link = event.target instanceof Element ? event.target.closest("#log .moment") : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !document.getElementById("moment")) return;
  const moment = new URL(/** @type {HTMLAnchorElement} */ (link).href);
  const to = document.querySelector(`#track a[data-at="${moment.searchParams.get("at")}"]`);
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  to.click();
}

filter?.addEventListener("change", read);
filter?.addEventListener("submit", (event) => { event.preventDefault(); read(); });
filter?.classList.add("by-itself");
document.addEventListener("pointerdown", () => { held = document.activeElement; }, true);
document.addEventListener("click", (event) => {
  const part = event.target instanceof Element ? event.target.closest("[data-explains]") : null;
  const touched = event instanceof PointerEvent && event.pointerType === "touch"; // a first tap lights up what earns it
  if (part && (!touched || (held?.matches("[data-explains]") && held.contains(part)))) explain(part);
  else if (!part) leaf(event);
});
// Who cannot see that it may be clicked is told so.
document.addEventListener("focusin", (event) => {
  if (event.target instanceof Element && event.target.matches("[data-explains]")) event.target.setAttribute("aria-describedby", "explains");
});
document.addEventListener("keydown", (event) => {
  const part = event.target instanceof Element ? event.target.closest("[data-explains]") : null;
  if (!part || event.key !== "Enter") return;
  event.preventDefault(); // or the same key would press the button that gets the focus: the drawer's, which shuts it
  explain(part);
});
