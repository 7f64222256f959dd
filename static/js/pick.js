// @ts-check
/** Makes a choice in steps: every spot of the board ([data-pick]) stands for a pattern of actions, and clicks narrow the
 * list of legal actions, which is the list of buttons in #zone-choices. Knows no game and no rule; see docs/boards.md.
 * @typedef {(HTMLElement | SVGElement) & {value?: string}} Spot
 */

const STATES = ["legal", "chosen", "changed", "place"];
const MANY = 40; // so many consequences are asked for at once
const NAMED = ["tabindex", "role", "aria-label", "aria-pressed"];
const FINGER = 44; // pixels that a finger needs
let [picked, shown] = ["", ""]; // the pattern of a half-made choice, and the action whose consequence is to be seen
let [touching, pressed] = [false, false]; // the last pointer was a finger; between pointer down and click
const answers = /** @type {Map<string, Promise<DocumentFragment>>} */ (new Map());

/** @param {string} selector @returns {Spot[]} */
const all = (selector) => [...document.querySelectorAll(selector)].map((found) => /** @type {Spot} */ (found));
const buttons = () => all("#zone-choices button[name=action]");
const patternOf = (/** @type {Spot} */ spot) => spot.dataset.pick ?? spot.value ?? "";
/** @param {EventTarget | null} target @returns {Spot | null} */
const spotAt = (target) => target instanceof Element ? target.closest("[data-pick]:is(.legal, .chosen), #zone-choices button[name=action]") : null;
/** Whether two patterns agree. @param {string} one @param {string} other */
const fits = (one, other) => {
  const [a, b] = [one.split(":"), other.split(":")];
  return a.length === b.length && a.every((word, i) => word === b[i] || word === "*" || b[i] === "*");
};
/** What both patterns say. @param {string} one @param {string} other */
const merged = (one, other) => one ? one.split(":").map((word, i) => word === "*" ? other.split(":")[i] : word).join(":") : other;
/** The legal actions that all of these patterns fit. @param {string[]} patterns */
const left = (...patterns) => buttons().map(patternOf).filter((action) => patterns.every((each) => !each || fits(each, action)));
const isPicked = (/** @type {string} */ pattern) => picked !== "" && fits(picked, pattern) && merged(picked, pattern) === picked;
/** Where a spot is, in classes. @param {Spot} spot */
const where = (spot) => [...spot.classList].filter((name) => !STATES.includes(name)).join(" ");
/** What a pattern is called: the heading that names it, or the first button that it fits. @param {string} pattern */
const named = (pattern) => all("#zone-choices [data-names]").find((each) => each.dataset.names === pattern) ?? buttons().find((each) => fits(pattern, patternOf(each)));
/** A copy of a piece somewhere else. @param {Spot} piece @param {string} place */
function ghost(piece, place) {
  const copy = document.createElementNS("http://www.w3.org/2000/svg", "g");
  copy.setAttribute("class", `${piece.classList[0]} ${place}`);
  copy.append(...[...piece.childNodes].map((child) => child.cloneNode(true)));
  return copy;
}
/** Shows on every spot what may be done with it now. */
function refresh() {
  if (picked && !left(picked).length) picked = "";
  picked ||= all("[data-pick-default]").map(patternOf).find((pattern) => left(pattern).length) ?? "";
  for (const spot of all("[data-pick]")) {
    const [pattern, second, chosen] = [patternOf(spot), spot.hasAttribute("data-pick-second"), isPicked(patternOf(spot))];
    const legal = !(second && !picked) && left(pattern, second ? picked : "").length > 0;
    spot.classList.toggle("chosen", chosen);
    spot.classList.toggle("legal", legal);
    const values = ["-1", "button", named(pattern)?.textContent ?? "", String(chosen)];
    NAMED.forEach((name, i) => legal || chosen ? spot.setAttribute(name, values[i]) : spot.removeAttribute(name));
  }
  if (picked) document.body.dataset.picked = picked; else delete document.body.dataset.picked;
  for (const each of all("[data-picked-only], [data-unpicked-only]")) each.toggleAttribute("hidden", each.hasAttribute("data-picked-only") !== (picked !== ""));
  if (picked) for (const each of all("[data-picked-name]")) each.textContent = named(picked)?.dataset.called || named(picked)?.textContent || "";
  hide();
  document.dispatchEvent(new CustomEvent("pick:shown"));
}
/** @param {string} pattern */
function pick(pattern) {
  picked = pattern;
  refresh();
  if (picked && left(picked).length <= MANY) ask(picked);
}
/** A click: narrows the choice, chooses anew, or, when one action is left, does it. @param {Spot} spot @param {boolean} careful */
function choose(spot, careful) {
  const [pattern, holds] = [patternOf(spot), spot.hasAttribute("data-pick-holds")];
  if (isPicked(pattern)) return holds ? undefined : pick("");
  const anew = !left(picked, pattern).length;
  const [action, ...others] = left(anew ? "" : picked, pattern);
  if (others.length || holds) return pick(anew ? pattern : merged(picked, pattern));
  if (action && careful && shown !== action) return void show(action);
  hide();
  /** @type {HTMLElement | undefined} */ (buttons().find((button) => patternOf(button) === action))?.click();
}
/** Shows the consequence if this spot would complete an action, or what it brings in any case. @param {Spot} spot */
function preview(spot) {
  const pattern = patternOf(spot);
  const actions = left(picked, pattern).length ? left(picked, pattern) : left(pattern);
  const [holds, tells] = [spot.hasAttribute("data-pick-holds"), spot.hasAttribute("data-pick-tells")];
  const what = actions.length === 1 && !holds ? actions[0] : tells && actions.length && actions.length <= MANY ? pattern : "";
  if (what && !isPicked(pattern)) show(what); else if (shown) hide();
}
/** @param {string} action */
async function show(action) {
  shown = action;
  const answer = await ask(picked && fits(picked, action) && left(picked).length <= MANY ? picked : action);
  const told = /** @type {HTMLTemplateElement | null} */ (answer.querySelector(`template[data-action="${CSS.escape(action)}"]`));
  const spots = all("[data-pick]").filter((spot) => fits(patternOf(spot), action));
  const piece = spots.find((spot) => !spot.hasAttribute("data-place"));
  const place = action.includes("*") ? piece : spots.filter((spot) => spot.hasAttribute("data-place")).sort((a, b) => patternOf(a).split("*").length - patternOf(b).split("*").length)[0] ?? piece;
  const bubble = document.getElementById("consequence");
  if (shown !== action || !told || !bubble || !place) return;
  bubble.replaceChildren(told.content.cloneNode(true));
  bubble.className = where(place);
  bubble.toggleAttribute("data-again", touching);
  bubble.hidden = false;
  if (piece instanceof SVGElement && piece !== place) document.getElementById("ghost")?.replaceChildren(ghost(piece, where(place)));
}
/** No consequence; what is picked may be seen once more, where the style sheet wants it. */
function hide() {
  shown = "";
  document.getElementById("consequence")?.setAttribute("hidden", "");
  document.getElementById("ghost")?.replaceChildren(...all("svg [data-pick].chosen").map((piece) => ghost(piece, "picked")));
}
/** The consequences of all actions that fit a pattern, as one template each; asked for once. @param {string} pattern */
function ask(pattern) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("act")); // its field `action` hides form.action
  const answer = answers.get(pattern) ?? fetch(`${form.getAttribute("action")?.replace(/act$/, "consequence")}?${new URLSearchParams(/** @type {any} */ ([...new FormData(form), ["action", pattern]]))}`)
    .then((response) => response.ok ? response.text() : "", () => "").then((html) => document.createRange().createContextualFragment(html));
  return answers.set(pattern, answer).get(pattern) ?? answer;
}
/** How far a finger is from the middle of a spot; a spot that is small may be missed a little. @param {Spot} spot @param {MouseEvent} event */
function off(spot, event) {
  const { x, y, width, height } = spot.getBoundingClientRect();
  const [aside, above] = [Math.abs(event.clientX - x - width / 2), Math.abs(event.clientY - y - height / 2)];
  return aside <= Math.max(FINGER, width) / 2 && above <= Math.max(FINGER, height) / 2 ? aside + above : Infinity;
}
/** The spot that a finger meant, where it touched nothing else. @param {MouseEvent} event @returns {Spot | null} */
const meant = (event) => !touching || !(event.target instanceof Element) || event.target.closest("a, button, label, input, summary, [tabindex]") ? null
  : all("[data-pick]:is(.legal, .chosen)").filter((spot) => spot.checkVisibility()).map((spot) => ({ spot, far: off(spot, event) })).filter((each) => each.far < Infinity)
    .sort((one, other) => one.far - other.far)[0]?.spot ?? null;
const byMouse = (/** @type {Event} */ event) => event instanceof PointerEvent && event.pointerType !== "touch" ? spotAt(event.target) : null;
document.addEventListener("pointerdown", (event) => { touching = event.pointerType === "touch"; pressed = true; }, true);
document.addEventListener("pointerover", (event) => { const spot = byMouse(event); if (spot) preview(spot); });
document.addEventListener("pointerout", (event) => { const spot = byMouse(event); if (shown && spot && spot !== spotAt(event.relatedTarget)) hide(); });
document.addEventListener("focusin", (event) => { const spot = spotAt(event.target); if (spot && !pressed) preview(spot); });
document.addEventListener("focusout", () => { if (shown && !pressed) hide(); });
document.addEventListener("click", (event) => {
  const spot = spotAt(event.target) ?? meant(event);
  if (event.target instanceof Element && event.target.closest("[data-pick-reset]")) pick("");
  else if (spot?.dataset.pick) { event.preventDefault(); choose(spot, touching); }
  pressed = false;
});
document.addEventListener("keydown", (event) => {
  const [spot, chosen] = [spotAt(event.target), all("[data-pick].chosen")[0]];
  touching = pressed = false;
  if (event.key === "Escape" && (picked || shown)) pick("");
  if (event.key === "Escape" && spot) chosen?.focus();
  const set = event.key === "Enter" && spot?.matches("[data-pick-holds].chosen") && all("[data-key=enter]").some((each) => each.checkVisibility()); // by press.js
  if (!spot?.dataset.pick || set || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  choose(spot, false);
  if (picked) all("[data-pick].legal:not(.chosen)").find((each) => each.checkVisibility() && left(picked, patternOf(each)).length)?.focus();
});
document.addEventListener("htmx:after:swap", () => { answers.clear(); refresh(); });
document.addEventListener("pick:reset", () => pick(""), true);
refresh();
