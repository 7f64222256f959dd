// @ts-check
/** What a person chose or opened stays so when its zone is drawn anew: radios, ticks and folds, by their id.
 *
 * Morphing sets attributes only: a radio that was ever chosen no longer heeds `checked`, and a fold shuts with `open`.
 * So after every swap each group shows what was chosen here, if that is still among it, else what the server chose.
 */

const TICKED = "[id^=zone-] :is(input[type=radio], input[type=checkbox])[id]";
const FOLD = "[id^=zone-] details[id]";
/** What was chosen by hand: a radio's group and the id in it, a tick's or a fold's id and whether it is on. @type {Map<string, string | boolean>} */
const chosen = new Map();

/** What a choice is among: a radio's group, else it alone. @param {HTMLInputElement} input */
const group = (input) => input.type === "radio" && input.name ? `name ${input.form?.id ?? ""} ${input.name}` : input.id;

document.addEventListener("change", (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || !input.matches(TICKED)) return;
  chosen.set(group(input), input.type === "radio" ? input.id : input.checked);
});

document.addEventListener("click", (event) => {
  const summary = event.target instanceof Element ? event.target.closest(`${FOLD} > summary`) : null;
  const fold = /** @type {HTMLDetailsElement | null} */ (summary?.parentElement ?? null);
  if (fold) chosen.set(fold.id, !fold.open); // it opens or shuts when the click is over
});

document.addEventListener("htmx:after:swap", () => {
  const inputs = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(TICKED)]);
  const there = new Set(inputs.map((input) => input.id));
  for (const [what, choice] of chosen) if (typeof choice === "string" && !there.has(choice)) chosen.delete(what);
  for (const input of inputs) {
    const choice = chosen.get(group(input));
    const on = choice === undefined ? input.defaultChecked : input.type === "radio" ? choice === input.id : choice === true;
    if (input.checked !== on && (on || input.type === "checkbox")) input.checked = on; // a radio gives way to another
  }
  for (const fold of document.querySelectorAll(FOLD)) {
    const open = chosen.get(fold.id);
    if (open !== undefined) /** @type {HTMLDetailsElement} */ (fold).open = open === true;
  }
});
