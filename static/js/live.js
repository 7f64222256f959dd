// @ts-check
/** Keeps a table's page and the server of one mind: actions up, zones down, and a state of the line that is seen.
 *
 * The line: <html data-connection="open | connecting | lost">. An action that got no answer is shown as not sent
 * (#unsent) and can be sent again: the server takes it once only, because it names the decision it answers.
 */

/** @typedef {{id: string, form: HTMLFormElement, button: HTMLElement | null, data: Record<string, string>, timer: number}} Pending */

const ANSWER = 5000;
const root = document.documentElement;
/** @type {WebSocket | null} */
let socket = null;
/** @type {Pending | null} */
let pending = null;
let sentUp = 0;
let shown = [0, 0];

const line = () => document.getElementById("live");
const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN && navigator.onLine;
/** @param {"open" | "connecting" | "lost"} state */
const say = (state) => { root.dataset.connection = state; };
/** @param {number[]} a @param {number[]} b */
const older = (a, b) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

const start = line();
if (start) {
  shown = [Number(start.dataset.version), Number(start.dataset.changed)];
  say(navigator.onLine ? "connecting" : "lost");
}

// ---- the line

document.addEventListener("htmx:ws:after:connection", (event) => {
  socket = /** @type {CustomEvent} */ (event).detail.connection.socket;
  say("open");
});
document.addEventListener("htmx:ws:before:connection", (event) => {
  const connection = /** @type {CustomEvent} */ (event).detail.connection;
  if (connection.attempt && !connection.url.endsWith("&again=1")) connection.url += "&again=1";
});
document.addEventListener("htmx:ws:close", (event) => {
  const code = /** @type {CustomEvent} */ (event).detail.code;
  say(navigator.onLine && code !== 1008 ? "connecting" : "lost");
  if (pending && pending.timer) fail();
});
window.addEventListener("offline", () => say("lost"));
window.addEventListener("online", () => {
  if (socket && socket.readyState === WebSocket.OPEN) { say("connecting"); socket.close(4000); location.reload(); }
  else say("connecting");
});
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// ---- up

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.id !== "act") return;
  const button = /** @type {SubmitEvent} */ (event).submitter;
  const data = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form, button)));
  if (pending?.timer) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return; // another click while one is under way: whatever it means, its decision is being answered
  }
  hide();
  pending = { id: String(++sentUp), form, button, data, timer: 0 };
  pending.timer = window.setTimeout(fail, ANSWER);
  root.dataset.sending = "";
  if (isOpen() && socket) {
    event.preventDefault();
    event.stopImmediatePropagation();
    socket.send(JSON.stringify({ ...data, id: pending.id }));
  } else if (!navigator.onLine) {
    event.preventDefault();
    event.stopImmediatePropagation();
    fail();
  }
}, true);

document.addEventListener("htmx:error", (event) => {
  if (pending && event.target === pending.form) fail();
});

/** No answer: say so, and keep what was meant. */
function fail() {
  if (!pending) return;
  window.clearTimeout(pending.timer);
  pending.timer = 0;
  delete root.dataset.sending;
  document.body.dispatchEvent(new CustomEvent("pick:reset"));
  const notice = document.getElementById("unsent");
  if (notice) notice.hidden = false;
}

function hide() {
  for (const id of ["unsent", "zone-refusal"]) document.getElementById(id)?.toggleAttribute("hidden", true);
}

function answered() {
  if (pending) window.clearTimeout(pending.timer);
  pending = null;
  delete root.dataset.sending;
  document.getElementById("unsent")?.toggleAttribute("hidden", true);
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!target) return;
  if (target.closest("[data-dismiss]")) { pending = null; hide(); }
  if (target.closest("[data-resend]") && pending) {
    const { form, data } = pending;
    pending = null;
    const button = document.createElement("button");
    button.name = "action";
    button.value = data.action;
    button.hidden = true;
    form.append(button);
    form.requestSubmit(button);
    button.remove();
  }
});

// ---- down

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const detail = /** @type {CustomEvent} */ (event).detail;
  const news = JSON.parse(detail.message.data);
  if (news.reload || news.go) { detail.cancelled = true; document.dispatchEvent(new CustomEvent("page:leaves")); return news.go ? location.assign(news.go) : location.reload(); }
  if (news.ack && pending && news.ack === pending.id) answered();
  if (news.version === 0 && news.refused) return; // only says no
  if (older([news.version, news.changed], shown)) detail.cancelled = true;
  else if (news.content) shown = [news.version, news.changed];
});
document.addEventListener("htmx:before:response", (event) => {
  const ctx = /** @type {CustomEvent} */ (event).detail.ctx;
  // Our server always names the request; what does not was answered by somebody between us, and tells nothing.
  if (pending && event.target === pending.form) (ctx.response.headers.has("X-Request-ID") ? answered : fail)();
  const version = ctx.response.headers.get("Semiramis-Version");
  if (!version) return;
  const news = version.split(" ").map(Number);
  if (older(news, shown)) event.preventDefault();
  else shown = news;
});
document.addEventListener("htmx:after:swap", () => {
  // A choice without an answer whose decision has passed arrived after all, or came too late: it is not sent again.
  const now = (/** @type {string} */ name) => document.querySelector(`#zone-status input[name=${name}]`)?.getAttribute("value");
  if (pending && ["seat", "since", "latest"].some((name) => now(name) !== pending?.data[name])) answered();
});
