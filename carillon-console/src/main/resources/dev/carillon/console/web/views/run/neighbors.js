// The runs of the same schedule before and after a run.
import { api } from "../../app/api.js";
import { serverNow } from "../../app/clock.js";

const WINDOWS = [60_000, 3_600_000, 86_400_000, 7 * 86_400_000, 60 * 86_400_000, 1000 * 86_400_000];
const PAGE = 100;

/** Returns the run with the latest slot before that of `run`, if there is one. */
export async function previousRun(run, signal) {
  const page = await api.get("runs", { query: { schedule: run.schedule, to: run.slot, limit: 1 }, signal });
  return page.items[0];
}

/** Returns the run with the earliest slot after that of `run`. Lists have the latest first, so growing windows are asked. */
export async function nextRun(run, signal) {
  const from = new Date(new Date(run.slot).getTime() + 1).toISOString();
  for (const window of WINDOWS) {
    const to = new Date(new Date(run.slot).getTime() + window).toISOString();
    let page = await api.get("runs", { query: { schedule: run.schedule, from, to, limit: PAGE }, signal });
    while (page.nextCursor)
      page = await api.get("runs", {
        query: { schedule: run.schedule, from, to, limit: PAGE, cursor: page.nextCursor },
        signal,
      });
    if (page.items.length) return page.items.at(-1);
    if (new Date(to) > serverNow() + 3_600_000) return undefined;
  }
  return undefined;
}
