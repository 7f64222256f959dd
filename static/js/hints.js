// @ts-check
/** First-game hints: shown until they are put away, game by game, in this browser; <html data-hints> shows them.
 *
 * In the hand each is read once: "I see" puts away what it says (data-about), <html data-hint-read>, and all come back when
 * hints are asked for again. */

const root = document.documentElement;
const stage = document.getElementById("stage");
const game = stage?.dataset.game ?? "";
const inHand = matchMedia("(max-width: 820px)");

/** What a browser without storage would have to be asked each time. @param {string} name @param {string} [value] */
function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`${name}:${game}`) ?? "";
    if (value) localStorage.setItem(`${name}:${game}`, value);
    else localStorage.removeItem(`${name}:${game}`);
  } catch { /* a private window: hints come back next time */ }
  return value ?? "";
}

let read = remembered("hints-read").split(" ");
const about = () => document.getElementById("zone-hint")?.dataset.about ?? "";
const look = () => root.toggleAttribute("data-hint-read", about() !== "" && read.includes(about()));

/** @param {string[]} those */
function keep(those) {
  read = those;
  remembered("hints-read", read.join(" ").trim());
  look();
}

/** @param {boolean} on */
function show(on) {
  root.toggleAttribute("data-hints", on);
  for (const button of document.querySelectorAll("[data-toggles=hints]")) {
    button.setAttribute("aria-pressed", String(on));
    button.removeAttribute("hidden");
  }
}

if (document.getElementById("zone-hint")) {
  show(!remembered("hints-off"));
  look();
}

document.addEventListener("htmx:after:swap", look);
document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("[data-hint-reads]")) return keep([...read, about()]);
  if (!target?.closest("[data-toggles=hints]")) return;
  const again = inHand.matches && root.hasAttribute("data-hints") && root.hasAttribute("data-hint-read");
  const on = again || !root.hasAttribute("data-hints");
  if (on) keep([]);
  remembered("hints-off", on ? "" : "yes");
  show(on);
});
