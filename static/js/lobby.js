// @ts-check
/** The lobby: looks anew at every change of what is sought, and asks now and then while the line is down. */

const ASK = 5000;
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("filters"));
/** @type {WebSocket | null} */
let socket = null;

/** What is sought, as in the page's address. */
function sought() {
  const words = new URLSearchParams();
  for (const [name, value] of new FormData(form ?? undefined)) if (value) words.set(name, String(value));
  return words.toString();
}

const connecting = new URL(document.getElementById("live")?.getAttribute("hx-ws:connect") ?? "", location.href);
connecting.searchParams.delete("shown");
const cameWith = connecting.searchParams.toString();
const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;
const ask = () => document.getElementById("lists")?.dispatchEvent(new CustomEvent("lobby:ask"));

/** Has the lists changed to what is sought now. */
function look() {
  const words = sought();
  form?.classList.toggle("is-set", words !== "");
  history.replaceState(history.state, "", words ? `/?${words}` : "/");
  if (isOpen() && socket) socket.send(JSON.stringify({ sought: words }));
  else ask();
}

form?.addEventListener("change", look);
document.addEventListener("click", (event) => {
  const all = event.target instanceof Element && event.target.closest(".none-fits a");
  if (!all || !form) return;
  event.preventDefault();
  for (const field of form.querySelectorAll("select")) field.value = "";
  look();
});
document.addEventListener("htmx:ws:after:connection", (event) => {
  socket = /** @type {CustomEvent} */ (event).detail.connection.socket;
  if (sought() !== cameWith) look(); // it connects with what the page came with
});
setInterval(() => { if (!isOpen()) ask(); }, ASK);
