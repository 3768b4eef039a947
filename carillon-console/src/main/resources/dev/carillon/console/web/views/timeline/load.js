// What runs or will run in a window of time, by schedule: past runs, and slots to come of those that fire in it.
import { api } from "../../app/api.js";
import { serverNow } from "../../app/clock.js";

const PAGE = 500;
const PAGES = 3;
const SCHEDULES = 500;
export const MOST_ROWS = 40;
const FIRES = 500;
const LONG = 3_600_000;

/** Returns the runs whose bars touch the window, and from when on they are whole, if there are more than could be loaded. */
export async function loadRuns(window, filter, signal) {
  const query = {
    ...filter,
    from: new Date(Math.max(0, window.from - Math.max(LONG, window.span))).toISOString(),
    to: new Date(window.to).toISOString(),
    planned: true,
    limit: PAGE,
  };
  const items = new Map();
  let cursor, last;
  for (let page = 0; page < PAGES && (page === 0 || cursor); page++) {
    const answer = await api.get("runs", { query: { ...query, cursor }, signal });
    answer.items.forEach((run) => items.set(run.id, run));
    last = answer.items.at(-1) ?? last;
    cursor = answer.nextCursor;
  }
  // What has been at work for long began before the window.
  const running = await api.get("runs", { query: { ...filter, state: "running", limit: 100 }, signal });
  running.items.forEach((run) => items.set(run.id, run));
  return { runs: [...items.values()].filter((run) => touches(run, window)), since: cursor && Date.parse(last?.slot) };
}

const begin = (run) => Date.parse(run.startedAt ?? run.dueAt);
const touches = (run, window) =>
  begin(run) < window.to &&
  (run.finishedAt ? Date.parse(run.finishedAt) : Math.max(serverNow(), begin(run))) >= window.from;

/**
 * Returns slots to come of the schedules that fire next within the window: `{ key, dueAt, took, decision, reason }`; until when
 * they are whole, if some have more than could be loaded; and whether there are more schedules.
 */
export async function loadComing(window, filter, signal) {
  if (window.to <= serverNow()) return { coming: [] };
  const page = await api.get("schedules", {
    query: { target: filter.target, q: filter.schedule ?? filter.q, status: "active", limit: SCHEDULES },
    signal,
  });
  const firing = page.items.filter(
    (item) =>
      (!filter.schedule || item.key === filter.schedule) && item.next?.length && Date.parse(item.next[0]) < window.to,
  );
  const from = new Date(Math.max(serverNow(), window.from)).toISOString();
  const shown = firing.slice(0, MOST_ROWS);
  const lists = await Promise.all(
    shown.map((item) =>
      api
        .get(api.path`schedules/${item.key}/fires`, {
          query: { from, to: new Date(window.to).toISOString(), limit: FIRES },
          signal,
        })
        .then(({ items, nextCursor }) => ({
          end: nextCursor || items.length === FIRES ? Date.parse(items.at(-1)?.dueAt) : Infinity,
          fires: items
            .filter((fire) => !fire.run && Date.parse(fire.dueAt) < window.to)
            .map((fire) => ({ key: item.key, took: item.lastRun?.durationMs ?? 0, ...fire })),
        })),
    ),
  );
  return {
    coming: lists.flatMap((list) => list.fires),
    until: Math.min(...lists.map((list) => list.end)),
    more: !!page.nextCursor || firing.length > shown.length,
  };
}

/** Rows in the order in which they first do something: `{ key, schedule, runs, coming }`. */
export function rowsOf(runs, coming, window) {
  const rows = new Map();
  const row = (key, schedule) => rows.get(key) ?? rows.set(key, { key, schedule, runs: [], coming: [] }).get(key);
  for (const run of runs) row(run.schedule ?? run.target, !!run.schedule).runs.push(run);
  for (const fire of coming) if (Date.parse(fire.dueAt) < window.to) row(fire.key, true).coming.push(fire);
  const first = (one) => Math.min(...one.runs.map(begin), ...one.coming.map((fire) => Date.parse(fire.dueAt)));
  return [...rows.values()].sort((a, b) => first(a) - first(b) || (a.key < b.key ? -1 : 1));
}
