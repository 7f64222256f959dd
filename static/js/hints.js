// @ts-check
/** First-game hints: shown until they are put away, game by game, in this browser; <html data-hints> shows them. */

const root = document.documentElement;
const stage = document.getElementById("stage");
const kept = `hints-off:${stage?.dataset.game ?? ""}`;

/** What a browser without storage would have to be asked each time. @param {string} [value] */
function remembered(value) {
  try {
    if (value === undefined) return localStorage.getItem(kept);
    if (value) localStorage.setItem(kept, value);
    else localStorage.removeItem(kept);
  } catch { /* a private window: hints come back next time */ }
  return value ?? null;
}

/** @param {boolean} on */
function show(on) {
  root.toggleAttribute("data-hints", on);
  for (const button of document.querySelectorAll("[data-toggles=hints]")) {
    button.setAttribute("aria-pressed", String(on));
    button.removeAttribute("hidden");
  }
}

if (document.getElementById("zone-hint")) show(!remembered());

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!target?.closest("[data-toggles=hints]")) return;
  const on = !root.hasAttribute("data-hints");
  remembered(on ? "" : "yes");
  show(on);
});
