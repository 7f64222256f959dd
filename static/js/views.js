// @ts-check
/** A link to the same table that asks for another view of it (<a data-view href="?side=2">): the server sends the zones
 * that change, and the address says what is shown. Without script or line it is an ordinary link; see docs/boards.md. */

/** @type {WebSocket | null} */
let socket = null;

document.addEventListener("htmx:ws:after:connection", (event) => {
  socket = /** @type {CustomEvent} */ (event).detail.connection.socket;
});

// A line that comes back asks for what is shown now.
document.addEventListener("htmx:ws:before:connection", (event) => {
  const { connection } = /** @type {CustomEvent} */ (event).detail;
  const url = new URL(connection.url);
  url.searchParams.set("asked", location.search.slice(1));
  connection.url = url.href;
});

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-view]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!socket || socket.readyState !== WebSocket.OPEN) return;
  event.preventDefault();
  history.replaceState(null, "", link.href);
  socket.send(JSON.stringify({ asked: link.search.slice(1) }));
});
