// @ts-check
/** Refusals, at the place of the click: why something was refused, and why what does not shine cannot be had.
 *
 * What can be asked about carries data-ask="an action": a click there sends it, and the server says why not. Where its words
 * are *, those of what is chosen take their place.
 */

const GAP = 12;
/** @type {Element | null} */
let clicked = null; // what was clicked last

const notice = () => document.getElementById("zone-refusal");
/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) => Math.max(least, Math.min(value, most));

/** What is asked by a click on an element; nothing while the game is over, or where nobody sits. @param {Element} target */
function asked(target) {
  const ask = target.closest("[data-ask]")?.getAttribute("data-ask");
  const turn = document.getElementById("zone-status")?.dataset.turn;
  if (!ask || turn === "over" || !document.getElementById("live") || !document.querySelector("#zone-status [name=seat]")) return "";
  const picked = (document.body.dataset.picked ?? "").split(":");
  const words = ask.split(":").map((word, i) => word === "*" ? picked[i] ?? "*" : word);
  return words.includes("*") ? "" : words.join(":");
}

/** Sends an action by the form, as if its button were there. @param {string} action */
function send(action) {
  const form = document.getElementById("act");
  if (!(form instanceof HTMLFormElement)) return;
  const button = document.createElement("button");
  Object.assign(button, { name: "action", value: action, hidden: true });
  form.append(button);
  form.requestSubmit(button);
  button.remove();
}

/** Puts the refusal beside what was clicked, and an edge around that. */
function place() {
  const aside = notice();
  if (aside?.matches(".is-question:not([hidden], [data-read])")) { aside.dataset.read = ""; aside.focus(); }
  if (!aside || aside.hidden || !clicked?.isConnected || aside.dataset.side) return;
  const spot = clicked.getBoundingClientRect();
  if (!spot.width || clicked.closest("#zone-choices")) return;
  aside.dataset.side = "right"; // it is measured as it will be
  const [width, height] = [aside.offsetWidth, aside.offsetHeight];
  const [right, bottom] = [innerWidth - 8, innerHeight - 8];
  const side = spot.right + GAP + width <= right ? "right" : spot.left - GAP - width >= 8 ? "left"
    : spot.bottom + GAP + height <= bottom ? "below" : "above";
  const beside = side === "right" || side === "left";
  const [x, y] = [spot.left + spot.width / 2, spot.top + spot.height / 2];
  const left = side === "right" ? spot.right + GAP : side === "left" ? spot.left - GAP - width : within(x - width / 2, 8, right - width);
  const top = side === "below" ? spot.bottom + GAP : side === "above" ? spot.top - GAP - height : within(y - height / 2, 56, bottom - height);
  aside.dataset.side = side;
  aside.style.left = `${left}px`;
  aside.style.top = `${top}px`;
  aside.style.setProperty("--tip", `${within(beside ? y - top : x - left, 16, (beside ? height : width) - 16)}px`);
  const edge = document.createElement("i");
  edge.className = "refused-at";
  Object.assign(edge.style, { left: `${spot.left}px`, top: `${spot.top}px`, width: `${spot.width}px`, height: `${spot.height}px` });
  aside.append(edge);
}

function hide() {
  const aside = notice();
  if (aside?.dataset.side) aside.hidden = true;
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!event.isTrusted || !target) return;
  clicked = target.closest("[data-pick]:is(.legal, .chosen), [data-ask], button, a");
  const action = !event.defaultPrevented && clicked?.hasAttribute("data-ask") ? asked(clicked) : "";
  if (action) send(action);
});
document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (event.key === "Escape" && notice()?.matches(".is-question:not([hidden])")) {
    notice()?.setAttribute("hidden", "");
    if (clicked instanceof HTMLElement || clicked instanceof SVGElement) clicked.focus();
  }
  if (event.key === "Escape") hide();
  if (event.key === "Enter" || event.key === " ") clicked = target?.closest("[data-pick], button") ?? null;
}, true);
document.addEventListener("pointerdown", (event) => {
  if (!(event.target instanceof Element && event.target.closest("#zone-refusal :is(a, button)"))) hide();
}, true);
window.addEventListener("resize", hide);
document.addEventListener("scroll", hide, true);
document.addEventListener("htmx:after:swap", place);
