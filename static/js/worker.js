// @ts-check
/** Shows notices while no page of ours is open, and opens the table when one is clicked. It keeps nothing and serves nothing. */

/** @typedef {{title: string, body: string, url: string, tag: string, lang: string}} Words */

const here = /** @type {any} */ (self); // a service worker, of which the types of pages know nothing

here.addEventListener("install", () => here.skipWaiting());
here.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(here.clients.claim()));

here.addEventListener("push", (/** @type {any} */ event) => {
  /** @type {Words} */
  const words = event.data?.json() ?? { title: "Semiramis", body: "", url: "/", tag: "semiramis", lang: "" };
  const { title, body, url, tag, lang } = words;
  event.waitUntil(here.registration.showNotification(title, { body, tag, lang, data: { url }, icon: "/static/ui/icon-turn.svg" }));
});

/** A window of ours goes there, the one that is there already before all; else a new one opens. @param {string} url */
async function open(url) {
  const place = new URL(url, here.location.origin);
  if (place.origin !== here.location.origin) return;
  const windows = await here.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((/** @type {any} */ each) => new URL(each.url).pathname === place.pathname);
  if (there) await there.focus();
  else await here.clients.openWindow(place.href);
}

here.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? "/"));
});

/** The push service has given this browser another address. */
here.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => {
  const text = (/** @type {ArrayBuffer} */ buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const again = async () => {
    const found = event.newSubscription ?? (await here.registration.pushManager.subscribe(event.oldSubscription.options));
    const body = new URLSearchParams({ endpoint: found.endpoint, public: text(found.getKey("p256dh")), auth: text(found.getKey("auth")) });
    await fetch("/me/push", { method: "POST", body });
  };
  event.waitUntil(again());
});
