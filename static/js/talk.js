// @ts-check
/** Speaking at a table: Enter sends (but not the Enter that ends a conversion), and what is written is never lost.
 *
 * The form lies beside #zone-talk, so no news touches it; it is emptied only when the server has taken the words.
 */

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("say"));
const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("words"));
const key = form?.dataset.key ?? "";
const said = () => document.getElementById("zone-talk-said");

/** What this tab remembers to have been written. @param {string} [words] */
function draft(words) {
  try {
    if (words !== undefined) sessionStorage.setItem(`words:${key}`, words);
    return sessionStorage.getItem(`words:${key}`) ?? "";
  } catch { return ""; /* a private window remembers nothing */ }
}

/** @type {string | null} */
let sent = null;
field?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  if (field.value.trim()) form?.requestSubmit();
});
field?.addEventListener("input", () => draft(field.value));
if (field && !field.value) field.value = draft();

form?.addEventListener("submit", (event) => {
  if (sent !== null) { // one at a time: its answer is on its way
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (form.hasAttribute("hx-post") && "htmx" in window) sent = field?.value ?? "";
  else draft(""); // the page that answers shows again what was refused
}, true);

/** The name under which what is written next is said once. */
function rename() {
  const once = /** @type {HTMLInputElement | null} */ (form?.elements.namedItem("once"));
  if (once) once.value = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
}

document.addEventListener("htmx:before:response", (event) => {
  if (!form || event.target !== form || !field) return;
  const { response } = /** @type {CustomEvent} */ (event).detail.ctx;
  if (!response.headers.has("X-Request-ID") || response.status >= 500) unsent(); // answered by somebody between us
  else if (response.status < 300 && !response.headers.has("HX-Redirect") && sent !== null) {
    field.value = field.value.startsWith(sent) ? field.value.slice(sent.length).trimStart() : field.value;
    draft(field.value);
    rename();
  }
  sent = null;
});
document.addEventListener("htmx:error", (event) => { if (form && event.target === form) unsent(); });
document.addEventListener("htmx:finally:request", (event) => { if (event.target === form) sent = null; });

function unsent() {
  sent = null;
  const place = said();
  if (!place) return;
  place.textContent = place.dataset.unsent ?? "";
  place.classList.add("error");
  place.hidden = false;
}
