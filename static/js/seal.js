// @ts-check
/** The seal of the shuffle: remembered when it is first seen, and compared at the end with what was sealed.
 *
 * <p data-seal="its SHA-256" data-table="the table" data-seed="empty until the game is over">; the outcome goes into
 * data-checked: "fits", "differs", "changed" (another seal was shown at first) or "unable" (no secure connection).
 */

/** @type {Map<string, string>} */
const sums = new Map();

/** The seal that this browser saw first at a table. @param {string} table @param {string} seal */
function first(table, seal) {
  try {
    const kept = localStorage.getItem(`seal:${table}`);
    if (!kept) localStorage.setItem(`seal:${table}`, seal);
    return kept ?? seal;
  } catch { return seal; /* a private window: there is nothing to compare with */ }
}

/** The SHA-256 of a text, as it is written. @param {string} text */
async function sum(text) {
  const known = sums.get(text);
  if (known) return known;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const made = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  sums.set(text, made);
  return made;
}

/** @param {HTMLElement} place */
async function check(place) {
  const { seal = "", seed = "", table = "" } = place.dataset;
  const seen = first(table, seal);
  if (!seed) return;
  if (!globalThis.crypto?.subtle) place.dataset.checked = "unable";
  else if (await sum(seed) !== seal) place.dataset.checked = "differs";
  else place.dataset.checked = seen === seal ? "fits" : "changed";
}

function checkAll() {
  for (const place of document.querySelectorAll("[data-seal]")) void check(/** @type {HTMLElement} */ (place));
}

document.addEventListener("htmx:after:swap", checkAll);
checkAll();
