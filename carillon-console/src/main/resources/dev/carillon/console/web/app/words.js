// Numbers and states as people read them.
const NUMBER = new Intl.NumberFormat("en-GB");

/** 41,208 */
export const number = (value) => NUMBER.format(value);
/** 1 run, 2 runs */
export const count = (value, one, many = one + "s") => `${number(value)} ${value === 1 ? one : many}`;

/** How each state of a run looks: the tone gives colour and shape. */
export const RUN_STATES = {
  succeeded: { tone: "ok", word: "succeeded" },
  failed: { tone: "bad", word: "failed" },
  running: { tone: "run", word: "running" },
  pending: { tone: "wait", word: "waiting" },
  canceled: { tone: "skip", word: "canceled" },
  skipped: { tone: "skip", word: "skipped" },
};

export const stateOf = (state) => RUN_STATES[state] ?? { tone: "wait", word: state };

/** How runs came about. */
export const TRIGGERS = {
  scheduled: "by schedule",
  manual: "by hand",
  ad_hoc: "without a schedule",
  backfill: "backfill",
};
