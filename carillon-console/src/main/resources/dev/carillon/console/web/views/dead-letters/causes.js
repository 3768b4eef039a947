// Dead letters by what killed them: the same target, code and message, whatever ids and numbers are in it.

const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const HEX = /\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi;
const NUMBER = /\d+(?:[.:,]\d+)*/g;

/** Returns a message without what differs from run to run. */
export const withoutNumbers = (message) => message.replace(ID, "…").replace(HEX, "…").replace(NUMBER, "…");

/** Returns what runs that failed for the same cause share. */
export const fingerprint = (run) =>
  hash(JSON.stringify([run.target, run.failure?.code ?? "", withoutNumbers(run.failure?.message ?? "")]));

/** Groups runs, those with the most of them first: `{ cause, target, code, message, runs, schedules, first, last }`. */
export function causesOf(runs) {
  const groups = new Map();
  for (const run of runs) {
    const cause = fingerprint(run);
    if (!groups.has(cause))
      groups.set(cause, {
        cause,
        target: run.target,
        code: run.failure?.code ?? "",
        message: run.failure?.message ?? "",
        runs: [],
      });
    groups.get(cause).runs.push(run);
  }
  return [...groups.values()].map(summed).sort((a, b) => b.runs.length - a.runs.length || (a.last < b.last ? 1 : -1));
}

function summed(group) {
  const times = group.runs.map((run) => run.finishedAt ?? run.slot).sort();
  const schedules = new Map();
  for (const run of group.runs) if (run.schedule) schedules.set(run.schedule, (schedules.get(run.schedule) ?? 0) + 1);
  return { ...group, first: times[0], last: times.at(-1), schedules: [...schedules].sort((a, b) => b[1] - a[1]) };
}

/* Short, for the address; FNV-1a over 53 bits is enough to tell causes apart. */
function hash(text) {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 0x01000193) >>> 0;
    high = Math.imul(high ^ text.charCodeAt(i), 0x85ebca6b) >>> 0;
  }
  return low.toString(36) + (high & 0x1fffff).toString(36);
}
