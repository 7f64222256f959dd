// @ts-check
/** Keys that press what says so (<button data-key="r">), and steps round a ring of choices; see docs/boards.md. */

/** Whether somebody is writing. @param {EventTarget | null} target */
const writes = (target) => target instanceof Element && target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || writes(event.target)) return;
  if (event.key === "Enter" && event.target instanceof Element && event.target.closest("a, button, summary, input, [role=button]")) return;
  const key = event.shiftKey && event.key.length === 1 ? `shift+${event.key.toLowerCase()}` : event.key.toLowerCase();
  for (const each of document.querySelectorAll(`[data-key="${CSS.escape(key)}"]:not(:disabled)`)) {
    if (!each.checkVisibility()) continue;
    event.preventDefault();
    each.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return;
  }
});

// <… data-step="1"> chooses the next spot of the ring that is on the page, <… data-step="-1"> the one before.
document.addEventListener("click", (event) => {
  const step = event.target instanceof Element ? event.target.closest("[data-step]") : null;
  const ring = step && document.querySelector("[data-ring]");
  if (!step || !ring) return;
  const spots = [...ring.querySelectorAll("[data-pick]")];
  const at = spots.findIndex((spot) => spot.classList.contains("chosen"));
  spots.at((at + Number(step.getAttribute("data-step"))) % spots.length)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
});
