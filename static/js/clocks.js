// @ts-check
/** Counts down to deadlines that the server gave (<time data-deadline>). It decides nothing: a browser whose clock is
 * wrong, or stopped, only shows another number until the next page. */

const MINUTE = 60, HOUR = 3600, DAY = 86400;
const words = document.documentElement.lang;
const given = Date.parse(document.querySelector("[data-now]")?.getAttribute("data-now") ?? "");
const [loading] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
/** How far this browser's clock is behind the server's. */
const behind = given ? given - (performance.timeOrigin + (loading?.responseStart ?? 0)) : 0;
/** What was said of which deadline. */
let said = "";

/** @param {number} amount @param {string} unit */
const count = (amount, unit) => new Intl.NumberFormat(words, { style: "unit", unit, unitDisplay: "short" }).format(amount);

/** @param {number} left in seconds */
function lasting(left) {
  if (left >= DAY) return `${count(Math.floor(left / DAY), "day")} ${count(Math.floor((left % DAY) / HOUR), "hour")}`;
  if (left >= HOUR) return `${count(Math.floor(left / HOUR), "hour")} ${count(Math.floor((left % HOUR) / MINUTE), "minute")}`;
  return `${Math.floor(left / MINUTE)}:${String(left % MINUTE).padStart(2, "0")}`;
}

function tick() {
  const now = performance.timeOrigin + performance.now() + behind;
  for (const time of document.querySelectorAll("time[data-deadline]")) {
    const deadline = time.getAttribute("data-deadline") ?? "";
    const left = Math.max(0, Math.ceil((Date.parse(deadline) - now) / 1000));
    const text = lasting(left);
    if (time.textContent !== text) time.textContent = text;
    const soon = left < MINUTE;
    const clock = time.closest(".clock");
    clock?.classList.toggle("is-soon", soon);
    if (soon && clock?.matches(".is-mine.is-running") && said !== deadline) {
      said = deadline;
      const voice = document.getElementById("clock-voice");
      if (voice) voice.textContent = document.getElementById("zone-clocks")?.dataset.soon ?? "";
    }
  }
}

setInterval(tick, 500);
document.addEventListener("htmx:after:swap", tick);
tick();
