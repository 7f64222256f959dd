// @ts-check
/** Tells the server how much of the table this page has shown, so that coming back one is told what happened meanwhile. */

const GATHERED = 4000; // milliseconds: what is seen together is told together
let told = -1;
let timer = 0;

const shown = () => Number(document.getElementById("zone-status")?.dataset.version ?? -1);

function tell() {
  clearTimeout(timer);
  timer = 0;
  const address = document.getElementById("act")?.getAttribute("action")?.replace(/act$/, "seen");
  if (!address || shown() <= told) return;
  told = shown();
  navigator.sendBeacon(address, new URLSearchParams({ version: String(told) }));
}

/** Only what lies open to be seen counts. */
function note() {
  if (document.visibilityState === "visible" && !timer && shown() > told) timer = window.setTimeout(tell, GATHERED);
}

if (document.getElementById("live") && document.querySelector("#zone-status [name=seat]")) {
  told = shown(); // the server noted what it drew
  document.addEventListener("htmx:after:swap", note);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") note(); else if (timer) tell(); });
  window.addEventListener("pagehide", () => { if (timer) tell(); });
}
