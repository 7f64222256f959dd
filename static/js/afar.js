// @ts-check
/** What decides, from afar, how something looks, said on the body: whose turn it is (data-turns), and what is shown alone
 * in the hand (data-shown).
 *
 * CSS can ask for both with :has(), and does where no script runs; but then whatever changes anywhere on the page has all
 * of it styled anew, its thousands of drawings included.
 */

const body = document.body;

/** @param {string} name @param {string} value */
function say(name, value) {
  if (body.dataset[name] !== value) body.dataset[name] = value;
}

function look() {
  const action = document.getElementById("zone-action");
  say("turns", [...(action?.classList ?? [])].filter((each) => each.startsWith("turn-")).map((each) => each.slice(5)).join(" "));
  say("shown", document.querySelector(":target")?.id ?? "");
}

document.addEventListener("htmx:after:swap", look);
addEventListener("hashchange", look);
look();
