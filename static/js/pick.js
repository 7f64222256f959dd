// @ts-check
/** Makes a choice in steps: every spot of the board ([data-pick]) stands for a pattern of actions, and clicks narrow the
 * list of legal actions, which is the list of buttons in #zone-choices. Knows no game and no rule; see docs/boards.md.
 */

/** @typedef {(HTMLElement | SVGElement) & {value?: string}} Spot */

const STATES = ["legal", "chosen", "changed", "place"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let picked = ""; // the pattern of a half-made choice
let shown = ""; // the action whose consequence is to be seen
let touching = false; // a finger, not a mouse or a key
let pressed = false;
/** @type {Map<string, Promise<Map<string, DocumentFragment>>>} */
const answers = new Map();

/** @param {string} selector @returns {Spot[]} */
const all = (selector) => [...document.querySelectorAll(selector)].map((found) => /** @type {Spot} */ (found));
const buttons = () => all("#zone-choices button[name=action]");
/** @param {Spot} spot */
const patternOf = (spot) => spot.dataset.pick ?? spot.value ?? "";
/** @param {EventTarget | null} target @returns {Spot | null} */
const spotAt = (target) => target instanceof Element ? target.closest("[data-pick].legal, [data-pick].chosen, #zone-choices button[name=action]") : null;
/** Whether two patterns agree. @param {string} one @param {string} other */
const fits = (one, other) => {
  const [a, b] = [one.split(":"), other.split(":")];
  return a.length === b.length && a.every((word, i) => word === b[i] || word === "*" || b[i] === "*");
};
/** The legal actions that all of these patterns fit. @param {string[]} patterns */
const left = (...patterns) => buttons().map(patternOf).filter((action) => patterns.every((each) => !each || fits(each, action)));
/** What both patterns say. @param {string} one @param {string} other */
const merged = (one, other) => one ? one.split(":").map((word, i) => word === "*" ? other.split(":")[i] : word).join(":") : other;
/** @param {string} pattern */
const isPicked = (pattern) => picked !== "" && fits(picked, pattern) && merged(picked, pattern) === picked;
/** Where a spot is, in classes. @param {Spot} spot */
const where = (spot) => [...spot.classList].filter((name) => !STATES.includes(name)).join(" ");

/** What a pattern is called: the heading that names it, or the first button that it fits. @param {string} pattern */
function called(pattern) {
  const heading = all("#zone-choices [data-names]").find((each) => each.dataset.names === pattern);
  const button = buttons().find((each) => fits(pattern, patternOf(each)));
  return { name: heading?.dataset.called || (heading ?? button)?.textContent || "", label: (heading ?? button)?.textContent || "" };
}

/** Shows on every spot what may be done with it now. */
function refresh() {
  if (picked && !left(picked).length) picked = "";
  for (const spot of all("[data-pick]")) {
    const pattern = patternOf(spot);
    const chosen = isPicked(pattern);
    const legal = left(pattern, spot.hasAttribute("data-pick-second") ? picked : "").length > 0 && !(spot.hasAttribute("data-pick-second") && !picked);
    spot.classList.toggle("chosen", chosen);
    spot.classList.toggle("legal", legal);
    if (legal || chosen) {
      spot.setAttribute("tabindex", "0");
      spot.setAttribute("role", "button");
      spot.setAttribute("aria-label", called(pattern).label);
      spot.setAttribute("aria-pressed", String(chosen));
    } else for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) spot.removeAttribute(name);
  }
  if (picked) document.body.dataset.picked = picked; else delete document.body.dataset.picked;
  for (const each of all("[data-picked-only]")) each.toggleAttribute("hidden", !picked);
  for (const each of all("[data-unpicked-only]")) each.toggleAttribute("hidden", picked !== "");
  if (picked) for (const each of all("[data-picked-name]")) each.textContent = called(picked).name;
}

function reset() {
  picked = "";
  hide();
  refresh();
}

/** A click: narrows the choice, chooses anew, or, when one action is left, does it. @param {Spot} spot @param {boolean} careful */
function choose(spot, careful) {
  const pattern = patternOf(spot);
  if (isPicked(pattern)) return reset();
  const anew = !left(picked, pattern).length;
  const [action, ...others] = left(anew ? "" : picked, pattern);
  if (!action) return;
  if (others.length) {
    picked = anew ? pattern : merged(picked, pattern);
    hide();
    refresh();
    ask(picked);
  } else if (careful && shown !== action) show(action);
  else {
    hide();
    buttons().find((button) => patternOf(button) === action)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
}

/** Shows the consequence if this spot would complete an action. @param {Spot} spot */
function preview(spot) {
  const pattern = patternOf(spot);
  const actions = left(picked, pattern).length ? left(picked, pattern) : left(pattern);
  if (actions.length === 1 && !isPicked(pattern)) show(actions[0]); else hide();
}

/** @param {string} action */
async function show(action) {
  shown = action;
  const content = (await ask(picked && fits(picked, action) ? picked : action)).get(action);
  const spots = all("[data-pick]").filter((spot) => fits(patternOf(spot), action));
  const piece = spots.find((spot) => !spot.hasAttribute("data-place"));
  const place = spots.find((spot) => spot.hasAttribute("data-place")) ?? piece;
  const bubble = document.getElementById("consequence");
  if (shown !== action || !content || !bubble || !place) return;
  bubble.replaceChildren(content.cloneNode(true));
  bubble.className = where(place);
  bubble.hidden = false;
  if (!piece || piece === place) return;
  const ghost = document.createElementNS("http://www.w3.org/2000/svg", "g");
  ghost.setAttribute("class", `${piece.classList[0]} ${where(place)}`);
  ghost.append(...[...piece.childNodes].map((child) => child.cloneNode(true)));
  document.getElementById("ghost")?.replaceChildren(ghost);
}

function hide() {
  shown = "";
  document.getElementById("consequence")?.setAttribute("hidden", "");
  document.getElementById("ghost")?.replaceChildren();
}

/** The consequences of all actions that fit a pattern; asked for once. @param {string} pattern */
function ask(pattern) {
  const table = document.getElementById("act")?.getAttribute("action")?.replace(/act$/, "consequence"); // form.action would be a button
  const answer = answers.get(pattern) ?? fetch(`${table}?action=${encodeURIComponent(pattern)}`)
    .then((response) => response.ok ? response.text() : "", () => "")
    .then((html) => {
      const page = document.createElement("template");
      page.innerHTML = html;
      const found = /** @type {HTMLTemplateElement[]} */ ([...page.content.querySelectorAll("template[data-action]")]);
      return new Map(found.map((each) => [each.dataset.action ?? "", each.content]));
    });
  answers.set(pattern, answer);
  return answer;
}

/** From spot to spot with the arrow keys. @param {Spot} from @param {number} dx @param {number} dy */
function step(from, [dx, dy]) {
  const centre = (/** @type {Element} */ spot) => { const box = spot.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = centre(from);
  const far = all("[data-pick].legal").map((spot) => {
    const [along, aside] = [(centre(spot)[0] - x) * dx + (centre(spot)[1] - y) * dy, Math.abs((centre(spot)[0] - x) * dy) + Math.abs((centre(spot)[1] - y) * dx)];
    return { spot, distance: along > 4 ? along + 2 * aside : Infinity };
  }).sort((a, b) => a.distance - b.distance)[0];
  if (far && far.distance < Infinity) far.spot.focus();
}

document.addEventListener("pointerdown", (event) => { touching = event.pointerType === "touch"; pressed = true; }, true);
document.addEventListener("pointerover", (event) => { const spot = spotAt(event.target); if (spot && event.pointerType !== "touch") preview(spot); });
document.addEventListener("pointerout", (event) => { if (shown && event.pointerType !== "touch" && spotAt(event.target) !== spotAt(event.relatedTarget)) hide(); });
document.addEventListener("focusin", (event) => { const spot = spotAt(event.target); if (spot && !pressed) preview(spot); });
document.addEventListener("focusout", () => { if (shown && !pressed) hide(); });
document.addEventListener("click", (event) => {
  const spot = spotAt(event.target);
  if (event.target instanceof Element && event.target.closest("[data-pick-reset]")) reset();
  else if (spot?.dataset.pick) choose(spot, touching);
  pressed = false;
});
document.addEventListener("keydown", (event) => {
  const spot = spotAt(event.target);
  touching = pressed = false;
  if (event.key === "Escape" && (picked || shown)) reset();
  if (!spot?.dataset.pick) return;
  if (event.key in ARROWS) step(spot, ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)]);
  else if (event.key === "Enter" || event.key === " ") {
    choose(spot, false);
    if (picked) all("[data-pick-second].legal")[0]?.focus();
  } else return;
  event.preventDefault();
});
document.addEventListener("htmx:after:swap", () => { answers.clear(); hide(); refresh(); });
document.body.addEventListener("pick:reset", reset);
refresh();
