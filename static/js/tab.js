// @ts-check
/** Shows in the tab whose turn it is: at a table, and in the lobby when one of my tables waits for me. */

const status = () => document.getElementById("zone-status")?.dataset ?? {};
const isMine = () => status().turn === "mine" || document.querySelector("#zone-mine .my-turn") !== null;

function mark() {
  const mine = isMine();
  const title = (mine ? "● " : "") + document.title.replace(/^● /, "");
  if (title !== document.title) document.title = title;
  const icon = /** @type {HTMLLinkElement | null} */ (document.getElementById("icon"));
  if (!icon) return;
  icon.dataset.plain ??= icon.href;
  const wanted = (mine && icon.dataset.turn) || icon.dataset.plain;
  if (icon.getAttribute("href") !== wanted) icon.href = wanted;
}

document.addEventListener("htmx:after:swap", mark);
mark();
