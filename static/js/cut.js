// @ts-check
/** While a line that was open is not, for longer than a blink, nobody can act here: <html data-cut="whose turn it is"> takes
 * the gold from the board (page.css). A page that connects for the first time waits in full colour. */

const BLINK = 1000;
const root = document.documentElement;
let [opened, blink] = [false, 0];

function cut() {
  root.dataset.cut = document.getElementById("zone-status")?.dataset.turn || "other";
}

function look() {
  const state = root.dataset.connection;
  if (state === "open") {
    window.clearTimeout(blink);
    [opened, blink] = [true, 0];
    delete root.dataset.cut;
  } else if (state === "lost") cut();
  else if (opened && !blink) blink = window.setTimeout(cut, BLINK);
}

new MutationObserver(look).observe(root, { attributeFilter: ["data-connection"] });
document.addEventListener("htmx:after:swap", () => { if ("cut" in root.dataset) cut(); });
look();
