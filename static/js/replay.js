// @ts-check
/** Looking at earlier moments: arrow keys leaf through them, and the address says which one is shown. */

const LEAVES = /** @type {Record<string, string>} */ ({ ArrowLeft: "prev", ArrowRight: "next", Home: "first" });

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in LEAVES)) return;
  if (target?.closest("input, textarea, select, [data-part]")) return;
  const link = document.querySelector(`#moment a[href][rel=${LEAVES[event.key]}]`);
  if (link instanceof HTMLElement) link.click();
});

document.addEventListener("htmx:after:swap", () => {
  const at = document.getElementById("moment")?.dataset.at;
  const query = new URLSearchParams(location.search);
  if (!at || query.get("at") === at) return;
  query.set("at", at);
  history.replaceState(null, "", `?${query}${location.hash}`);
});
