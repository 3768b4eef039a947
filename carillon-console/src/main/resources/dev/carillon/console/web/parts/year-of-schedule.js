// What each day of a year was, or will be, for a schedule. Its slots tell, if they are few; of many, the runs are counted by
// the server, and slots to come are told as far as they are listed.
import { api } from "../app/api.js";
import { serverNow } from "../app/clock.js";
import { isoDay } from "../app/time.js";
import { count, stateOf } from "../app/words.js";
import { zoneOf } from "./schedule-words.js";

const DAY = 86_400_000;
const MOST = 500;
const WORST_FIRST = ["bad", "run", "skip", "ok"];

/** Returns a map from days such as 2026-11-17 to `{ tone, label, at, future? }`; `until` is the last slot to come that it has, if there are more. */
export async function yearOf(schedule, signal) {
  const zone = zoneOf(schedule);
  const path = api.path`schedules/${schedule.key}/`;
  const now = serverNow();
  const at = (days) => new Date(now + days * DAY).toISOString();
  const [past, coming] = await Promise.all([
    api.get(path + "fires", { query: { from: at(-52 * 7), to: at(0), limit: MOST }, signal }),
    api.get(path + "fires", { query: { from: at(0), to: at(8 * 7), limit: MOST }, signal }),
  ]);
  const days = new Map();
  if (past.items.length < MOST) addSlots(days, past.items, zone, false);
  const counted = await api.get(path + "days", { query: { from: at(-52 * 7) }, signal });
  for (const { day, runs } of counted.items) {
    if (past.items.length < MOST && days.has(day)) continue;
    const tones = Object.keys(runs).map((state) => stateOf(state).tone);
    days.set(day, {
      tone: worst(tones),
      label: Object.entries(runs)
        .map(([state, number]) => `${number} ${stateOf(state).word}`)
        .join(", "),
      at: undefined,
    });
  }
  addSlots(days, coming.items, zone, true);
  if (coming.items.length === MOST) days.until = coming.items.at(-1).slot;
  return days;
}

function addSlots(days, fires, zone, future) {
  const byDay = new Map();
  for (const fire of fires) {
    const day = isoDay(future ? fire.dueAt : fire.slot, zone);
    byDay.set(day, [...(byDay.get(day) ?? []), fire]);
  }
  for (const [day, slots] of byDay) {
    const there = days.get(day);
    if (future) {
      const will = slots.filter((fire) => fire.decision !== "will_not_run").length;
      const says = `${count(will, "slot")} to come${will < slots.length ? `, ${slots.length - will} will not run` : ""}`;
      if (there) there.label += `, ${says}`;
      else
        days.set(day, {
          tone: "wait",
          future: will > 0,
          ...(will ? {} : { tone: "skip" }),
          label: says,
          at: slots[0].slot,
        });
    } else {
      const tones = slots.map((fire) => toneOf(fire.decision));
      const tone = worst(tones);
      const told = new Map();
      for (const fire of slots) told.set(word(fire), (told.get(word(fire)) ?? 0) + 1);
      days.set(day, {
        tone,
        label: [...told].map(([what, number]) => `${number} ${what}`).join(", "),
        at: slots[tones.indexOf(tone)].slot,
      });
    }
  }
}

const toneOf = (decision) =>
  decision === "dropped" ? "skip" : decision === "pending" ? "run" : stateOf(decision).tone;
const worst = (tones) => WORST_FIRST.find((tone) => tones.includes(tone)) ?? "skip";
const word = (fire) =>
  fire.decision === "dropped"
    ? `not run${fire.reason ? ` (${fire.reason.replace(/^merged: .*/, "merged").replaceAll("_", " ")})` : ""}`
    : stateOf(fire.decision).word;
