// @ts-check
/** A whisper for those who ask for it: placing, my turn, somebody joined, game over. Synthesised, and off until asked for.
 *
 * Asked for by a button `data-toggles="sound"`. Of a person we know it is kept with their preferences (`data-sound` of
 * the page says what they chose); of anybody else this browser remembers it.
 */

const KEPT = "sound";
const LOUDNESS = 0.07;
/** Of each sound its notes: frequency, when it begins and how long it lasts in seconds, and the shape of its wave. */
const NOTES = {
  place: [[196, 0, 0.07, "triangle"], [131, 0.02, 0.12, "sine"]],
  turn: [[523, 0, 0.14, "sine"], [784, 0.12, 0.24, "sine"]],
  joined: [[392, 0, 0.12, "sine"], [523, 0.1, 0.18, "sine"]],
  over: [[392, 0, 0.12, "sine"], [523, 0.08, 0.14, "sine"], [659, 0.16, 0.22, "sine"]],
};
/** @type {AudioContext | null} */
let audio = null;
let on = false;

/** @param {string} [value] */
function remembered(value) {
  try {
    if (value !== undefined) localStorage.setItem(KEPT, value);
    return localStorage.getItem(KEPT);
  } catch { return null; /* a private window: silence comes back next time */ }
}

/** @param {keyof typeof NOTES} what */
function play(what) {
  if (!on) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  for (const [pitch, after, long, wave] of NOTES[what]) {
    const [tone, swell, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + Number(after)];
    tone.type = /** @type {OscillatorType} */ (wave);
    tone.frequency.value = Number(pitch);
    swell.gain.setValueAtTime(0, at);
    swell.gain.linearRampToValueAtTime(LOUDNESS, at + 0.012);
    swell.gain.exponentialRampToValueAtTime(0.0001, at + Number(long));
    tone.connect(swell).connect(audio.destination);
    tone.start(at);
    tone.stop(at + Number(long));
  }
}

/** @param {boolean} wanted */
function show(wanted) {
  on = wanted;
  for (const button of document.querySelectorAll("[data-toggles=sound]")) {
    button.setAttribute("aria-pressed", String(on));
    button.removeAttribute("hidden");
  }
}

/** What can be heard of a page: whose turn, which version, how many sit; in the lobby, which of my tables wait for me. */
function heard() {
  const { turn, version } = document.getElementById("zone-status")?.dataset ?? {};
  const waiting = [...document.querySelectorAll("#zone-mine li:has(.my-turn)")].map((each) => each.id);
  return { turn, version, waiting, seats: document.querySelectorAll("#zone-seats .is-taken").length };
}

let before = heard();
const chosen = document.body.dataset.sound;
show((chosen ?? remembered()) === "on");

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element && event.target.closest("[data-toggles=sound]"))) return;
  show(!on);
  remembered(on ? "on" : "off");
  if (chosen) fetch("/me/sound", { method: "POST", body: new URLSearchParams({ sound: on ? "on" : "" }) }).catch(() => undefined);
  play("place");
});
document.addEventListener("htmx:after:swap", () => {
  const now = heard();
  if (now.seats > before.seats) play("joined");
  if (now.turn === "over" && before.turn !== "over") play("over");
  else if (now.turn === "mine" && before.turn === "other") play("turn");
  else if (now.waiting.some((each) => !before.waiting.includes(each))) play("turn");
  else if (now.version !== before.version) play("place");
  before = now;
});
