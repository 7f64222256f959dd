// @ts-check
/** Tells the server whether this page lies open before somebody, so that nobody is told of a turn they are looking at.
 *
 * A page that is hidden does not, nor one that nobody has touched for some minutes: its screen may shine on an empty chair.
 */

const IDLE = 180_000; // milliseconds
/** @type {WebSocket | null} */
let socket = null;
let touched = Date.now();
/** What was told last: whether it looks, and which version was touched. */
let said = [false, -1];

const version = () => Number(document.getElementById("zone-status")?.dataset.version ?? -1);
const looks = () => document.visibilityState === "visible" && Date.now() - touched < IDLE;

/** @param {number} [awake] */
function tell(awake = said[1]) {
  const now = [looks(), Number(awake)];
  if (socket?.readyState !== WebSocket.OPEN || (now[0] === said[0] && now[1] === said[1])) return;
  said = /** @type {[boolean, number]} */ (now);
  socket.send(JSON.stringify({ looks: now[0], awake: now[1] }));
}

document.addEventListener("htmx:ws:after:connection", (event) => {
  socket = /** @type {CustomEvent} */ (event).detail.connection.socket;
  const awake = said[1];
  said = [false, -1]; // a new line knows nothing yet
  tell(awake);
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") touched = Date.now(); // somebody has brought it there
  tell();
});
for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  document.addEventListener(kind, () => {
    touched = Date.now();
    if (document.visibilityState === "visible") tell(version());
  }, { passive: true, capture: true });
}
setInterval(() => tell(), 20_000);
