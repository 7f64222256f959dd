// @ts-check
/** Where a board is longer than the screen: once something is picked (pick.js), what may be chosen next is to be seen. */

const stage = document.getElementById("stage");
let before = "";

/** Whether two patterns agree. @param {string[]} one @param {string[]} other */
const fits = (one, other) => one.length === other.length && one.every((word, i) => word === other[i] || word === "*" || other[i] === "*");

document.addEventListener("pick:shown", () => {
  const picked = document.body.dataset.picked ?? "";
  if (!stage || !picked || picked === before) return void (before = picked);
  before = picked;
  const view = stage.getBoundingClientRect();
  const next = [...stage.querySelectorAll("[data-pick].legal:not(.chosen)")].filter((spot) =>
    fits(picked.split(":"), (spot.getAttribute("data-pick") ?? "").split(":")) && spot.checkVisibility());
  const seen = next.some((spot) => {
    const { top, bottom } = spot.getBoundingClientRect();
    return top >= view.top - 1 && bottom <= view.bottom + 1;
  });
  if (!seen) next[0]?.scrollIntoView({ block: "nearest" });
});
