// What becomes of slots and runs when something goes wrong, and what is promised about them.
import { html, nothing } from "../../app/element.js";
import { CATCH_UP_CHOICES, OVERLAP_CHOICES, catchUpMode } from "../../parts/schedule-words.js";
import { kindOf } from "../../parts/timing-kinds.js";
import { compact } from "./form.js";

/** What happens to a slot that comes while a run is unfinished. */
export function overlapRule(form) {
  const { overlap = "skip", queueLimit } = form.draft;
  return form.choices(
    "If it is still running when the next slot comes",
    "overlap",
    overlap,
    OVERLAP_CHOICES,
    (rule) => form.set({ overlap: rule, queueLimit: undefined }),
    overlap === "queue"
      ? html`<div class="fields">
          ${form.number("/queueLimit", "so many may wait", queueLimit, (limit) => form.set({ queueLimit: limit }), "100 unless said")}
        </div>`
      : nothing,
  );
}

/** What happens to slots that were missed. */
export function catchUpRule(form) {
  const { catchUp } = form.draft;
  const mode = catchUp ? catchUpMode(catchUp) : kindOf(form.draft.timing) === "every" ? "skip" : "once";
  const set = (change) => form.set({ catchUp: compact({ mode, ...catchUp, ...change }) });
  const many = mode === "all" || mode === "spread";
  return form.choices(
    "After an outage",
    "catchUp",
    mode,
    CATCH_UP_CHOICES,
    (chosen) => form.set({ catchUp: compact({ ...catchUp, mode: chosen, limit: undefined }) }),
    html`<div class="fields">
      ${many ? form.number("/catchUp/limit", "at most so many slots", catchUp?.limit, (limit) => set({ limit })) : nothing}
      ${mode === "skip" ? nothing : form.duration("/catchUp/maxAge", "none older than", catchUp?.maxAge, (maxAge) => set({ maxAge: maxAge ?? null }), { placeholder: catchUp?.maxAge === null ? "any age" : "as usual" })}
      ${form.duration("/catchUp/grace", "not missed but late, up to", catchUp?.grace, (grace) => set({ grace }), { placeholder: "as usual" })}
    </div>`,
  );
}

/** What happens to a run that fails, takes too long, or loses its node. */
export function failureRules(form) {
  const { retry = {}, timeout, timeoutCalendar, recovery, pauseAfterFailures } = form.draft;
  const again = (change) => form.set({ retry: compact({ ...retry, ...change }) });
  const several = (retry.attempts ?? 1) > 1;
  return html`<section class="panel" aria-label="If it fails">
    <h2>If it fails</h2>
    <div class="fields">
      ${form.number("/retry/attempts", "attempts", retry.attempts, (attempts) => (attempts === undefined ? form.set({ retry: undefined }) : again({ attempts })), "then it is a dead letter")}
      ${several ? html`${form.duration("/retry/backoff", "first pause between them", retry.backoff, (backoff) => again({ backoff }))}${form.number("/retry/factor", "each pause so many times as long", retry.factor, (factor) => again({ factor }))}${form.duration("/retry/maxBackoff", "but at most", retry.maxBackoff, (maxBackoff) => again({ maxBackoff }))}${form.calendar("/retry/calendar", "pauses count the working time of", retry.calendar, "no calendar: all time counts", (calendar) => again({ calendar }))}` : nothing}
    </div>
    <div class="fields">
      ${form.duration("/timeout", "an attempt takes at most", timeout, (longest) => form.set({ timeout: longest, ...(longest ? {} : { timeoutCalendar: undefined }) }), { placeholder: "no limit" })}
      ${timeout ? form.calendar("/timeoutCalendar", "counted in the working time of", timeoutCalendar, "no calendar: all time counts", (calendar) => form.set({ timeoutCalendar: calendar })) : nothing}
      ${form.number("/pauseAfterFailures", "pause after failures in a row", pauseAfterFailures, (failures) => form.set({ pauseAfterFailures: failures }), "empty: never")}
      ${form.select(
        "/recovery",
        "if its node dies",
        recovery ?? "resubmit",
        [
          ["resubmit", "another node runs it again"],
          ["fail", "the run fails"],
        ],
        (chosen) => form.set({ recovery: chosen }),
      )}
    </div>
  </section>`;
}

/** By when a run must be finished, and how often one must succeed. */
export function promises(form) {
  const { deadline, expect } = form.draft;
  const kind = deadline ? (deadline.at !== undefined ? "at" : "after") : "";
  const due = (change) => form.set({ deadline: { ...deadline, ...change } });
  const wanted = (change) => form.set({ expect: compact({ ...expect, ...change }) });
  const fresh = {
    "": undefined,
    after: { after: "PT1H", escalateTo: deadline?.escalateTo },
    at: { at: "18:00", escalateTo: deadline?.escalateTo },
  };
  return html`<section class="panel" aria-label="What is promised">
    <h2>What is promised, and who is told if it is broken</h2>
    <div class="fields">
      ${form.select(
        "/deadline",
        "a run is finished",
        kind,
        [
          ["", "whenever it is"],
          ["after", "within a time"],
          ["at", "by a time of day"],
        ],
        (chosen) => form.set({ deadline: fresh[chosen] }),
      )}
      ${kind === "after" ? html`${form.duration("/deadline/after", "after it was due, at most", deadline.after, (after) => due({ after: after ?? "" }))}${form.calendar("/deadline/calendar", "counted in the working time of", deadline.calendar, "no calendar: all time counts", (calendar) => due({ calendar }))}` : nothing}
      ${kind === "at" ? form.text("/deadline/at", "at the latest, on its clock", deadline.at, (at) => due({ at }), { type: "time" }) : nothing}
      ${kind ? form.target("/deadline/escalateTo", "else this target is run", deadline.escalateTo, (escalateTo) => due({ escalateTo: escalateTo || undefined }), "once for each run that is late") : nothing}
    </div>
    <div class="fields">
      ${form.duration("/expect/successEvery", "it succeeds at least every", expect?.successEvery, (successEvery) => (successEvery ? wanted({ successEvery }) : form.set({ expect: undefined })), { placeholder: "nobody minds" })}
      ${expect ? html`${form.duration("/expect/grace", "and so much longer is fine", expect.grace, (grace) => wanted({ grace }), { placeholder: "not at all" })}${form.target("/expect/escalateTo", "else this target is run", expect.escalateTo, (escalateTo) => wanted({ escalateTo }), "empty: it only counts as silent")}` : nothing}
    </div>
  </section>`;
}

/** From when, until when and how often it fires at all. */
export function bounds(form) {
  const { window: period, maxRuns } = form.draft;
  const set = (change) => form.set({ window: compact({ ...period, ...change }) });
  return html`<section class="panel" aria-label="Only so long">
    <h2>Only so long</h2>
    <div class="fields">
      ${form.instant("/window/from", "not before", period?.from ?? undefined, (from) => set({ from }), "empty: from now on")}
      ${form.instant("/window/until", "not from then on", period?.until ?? undefined, (until) => set({ until }), "empty: for ever")}
      ${form.number("/maxRuns", "at most so many runs", maxRuns, (most) => form.set({ maxRuns: most }), "empty: any number")}
    </div>
  </section>`;
}
