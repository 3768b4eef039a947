// The quiet windows of a week: a row for each day, a column for each hour.
import { html, svg } from "../../app/element.js";
import { chartFrame } from "../../parts/chart-frame.js";
import { DAYS } from "./day-lines.js";

const [LEFT, WIDTH, ROW] = [34, 480, 12];

/** @param windows as the API tells them: `{ days, hours: "22:00-07:00" }` */
export function weekStrip(name, windows) {
  const bars = windows.flatMap((window) =>
    (window.days ?? DAYS).flatMap((day) => spans(DAYS.indexOf(day), window.hours)),
  );
  const x = (minute) => LEFT + (minute / 1440) * (WIDTH - LEFT);
  return chartFrame(
    `Quiet windows of ${name}`,
    ["days", "hours"],
    windows.map((window) => [(window.days ?? DAYS).join(", "), window.hours]),
    html`<svg viewBox="0 0 ${WIDTH} ${7 * ROW + 14}" class="week-strip">
      ${DAYS.map((day, i) => svg`<text x="0" y=${i * ROW + 9}>${day[0].toUpperCase() + day.slice(1, 3)}</text><rect x=${LEFT} y=${i * ROW + 1} width=${WIDTH - LEFT} height=${ROW - 3} rx="2" class="fill-none"></rect>`)}
      ${bars.map((bar) => svg`<rect x=${x(bar.from)} y=${bar.day * ROW + 1} width=${Math.max(1, x(bar.to) - x(bar.from))} height=${ROW - 3} rx="2" class="fill-skip"><title>${DAYS[bar.day]} ${clock(bar.from)}–${clock(bar.to)}</title></rect>`)}
      ${[0, 6, 12, 18].map((hour) => svg`<text x=${x(hour * 60)} y=${7 * ROW + 11}>${String(hour).padStart(2, "0")}:00</text>`)}
    </svg>`,
  );
}

/* A span across midnight belongs to the day on which it begins, and goes on into the next. */
function spans(day, hours) {
  const [from, to] = hours.split("-").map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5)));
  if (to > from) return [{ day, from, to }];
  return [{ day, from, to: 1440 }, ...(to > 0 ? [{ day: (day + 1) % 7, from: 0, to }] : [])];
}

const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
