// @ts-check
/** This browser's notices on the page of preferences: <div id="push" data-push="unsupported | denied | off | on | failed">. */

const part = /** @type {HTMLElement} */ (document.getElementById("push"));
const WORKER = "/static/js/worker.js";

/** @param {"unsupported" | "denied" | "off" | "on" | "failed"} state */
const say = (state) => { part.dataset.push = state; };

/** @param {string} path @param {Record<string, string>} data */
const post = (path, data) => fetch(path, { method: "POST", body: new URLSearchParams(data) });

/** @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/** @param {ArrayBuffer | null} buffer */
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0)))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** Has our server know where notices to this browser go. @param {PushSubscription} found */
async function tell(found) {
  const answer = await post("/me/push", { endpoint: found.endpoint, public: text(found.getKey("p256dh")), auth: text(found.getKey("auth")) });
  if (!answer.ok) throw new Error(String(answer.status));
}

/** How it is now. */
async function look() {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return say("unsupported");
  if (Notification.permission === "denied") return say("denied");
  const worker = await navigator.serviceWorker.getRegistration("/");
  const found = await worker?.pushManager.getSubscription();
  if (!found || Notification.permission !== "granted") return say("off");
  say((await post("/me/push/known", { endpoint: found.endpoint })).ok ? "on" : "off");
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return look();
  await navigator.serviceWorker.register(WORKER, { scope: "/" });
  const worker = await navigator.serviceWorker.ready;
  const key = bytes(part.dataset.key ?? "");
  const before = await worker.pushManager.getSubscription();
  const fits = before && text(before.options.applicationServerKey) === part.dataset.key;
  if (before && !fits) await before.unsubscribe();
  await tell((fits && before) || (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })));
  say("on");
}

async function turnOff() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  const found = await worker?.pushManager.getSubscription();
  if (found) {
    await post("/me/push/off", { endpoint: found.endpoint });
    await found.unsubscribe();
  }
  say("off");
}

part.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.hasAttribute("data-push-on")) turnOn().catch(() => say("failed"));
  if (button?.hasAttribute("data-push-off")) turnOff().catch(() => say("failed"));
});
look().catch(() => say("unsupported"));
