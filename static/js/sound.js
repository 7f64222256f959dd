// @ts-check
/** A whisper when a piece is placed, when it is my turn, when somebody sits down and when the game is over. In the page only
 * for those who asked for sound; nothing is fetched: each is one or two short tones. */

/** @type {AudioContext | null} */
let air = null;

/** One tone that rings out. @param {number} pitch @param {number} after @param {number} lasting @param {OscillatorType} [shape] */
function tone(pitch, after, lasting, shape = "sine") {
  if (!air || air.state !== "running") return;
  const [start, voice, loudness] = [air.currentTime + after, air.createOscillator(), air.createGain()];
  voice.type = shape;
  voice.frequency.value = pitch;
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(0.06, start + 0.012);
  loudness.gain.exponentialRampToValueAtTime(0.0005, start + lasting);
  voice.connect(loudness).connect(air.destination);
  voice.start(start);
  voice.stop(start + lasting);
}

const PLAYED = {
  placed: () => tone(196, 0, 0.12, "triangle"),
  turn: () => { tone(523, 0, 0.2); tone(784, 0.1, 0.28); },
  joined: () => tone(659, 0, 0.22),
  over: () => [392, 523, 659].forEach((pitch, i) => tone(pitch, i * 0.09, 0.2)),
};

/** What can be heard of the page: whose turn it is, how far the game is, how many sit there. */
function heard() {
  const status = document.getElementById("zone-status")?.dataset ?? {};
  return { turn: status.turn ?? "", version: status.version ?? "", seated: document.querySelectorAll("#zone-seats .is-taken").length };
}

let before = heard();
document.addEventListener("htmx:after:swap", () => {
  const now = heard();
  if (now.turn === "over" && before.turn !== "over") PLAYED.over();
  else if (now.turn === "mine" && before.turn === "other") PLAYED.turn();
  else if (now.version !== before.version) PLAYED.placed();
  else if (now.seated > before.seated) PLAYED.joined();
  before = now;
});

/** Browsers let a page sound only once somebody has touched it. */
function wake() {
  air ??= new AudioContext();
  void air.resume();
}
document.addEventListener("pointerdown", wake);
document.addEventListener("keydown", wake);
