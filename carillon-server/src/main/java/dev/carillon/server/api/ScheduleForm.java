package dev.carillon.server.api;

import dev.carillon.ScheduleDraft;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.server.read.Fields;
import dev.carillon.time.Jitter;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a schedule is given.
 *
 * @param defaults what it gets where it does not say
 * @param targets the labels it may name
 * @param timings how it says when
 */
record ScheduleForm(Defaults defaults, KnownLabels targets, TimingForm timings) {
  private static final int MOST_TAGS = 50;

  /** Read the schedule called {@code key}; what is wrong with it is known to {@code fields}. */
  Optional<ScheduleDraft> read(Fields fields, String key) {
    return named(fields, key).map(draft -> filled(fields, draft));
  }

  /** Read a schedule that may name its key itself; one is made up otherwise. */
  Optional<ScheduleDraft> readAnew(Fields fields) {
    Optional<ScheduleDraft> draft =
        fields.has("key")
            ? fields.text("key").flatMap(key -> fields.tried("key", () -> ScheduleDraft.named(key)))
            : Optional.of(ScheduleDraft.unnamed());
    ScheduleDraft any = draft.orElseGet(ScheduleDraft::unnamed);
    ScheduleDraft filled = filled(fields, any);
    return draft.map(good -> filled);
  }

  private static Optional<ScheduleDraft> named(Fields fields, String key) {
    fields
        .text("key")
        .filter(said -> !said.equals(key))
        .ifPresent(said -> fields.mistake("key", "must be the key in the path, or be left out"));
    return Optional.of(ScheduleDraft.named(key));
  }

  private ScheduleDraft filled(Fields fields, ScheduleDraft named) {
    ScheduleDraft draft = named;
    draft = fields.set(draft, "target", targets.read(fields), ScheduleDraft::target);
    draft = fields.set(draft, "payload", fields.payload("payload"), ScheduleDraft::payload);
    draft = timed(fields, draft);
    draft = fields.set(draft, "window", window(fields), ScheduleDraft::window);
    draft = fields.set(draft, "jitter", jitter(fields), ScheduleDraft::jitter);
    draft = overlapping(fields, draft);
    draft = catchingUp(fields, draft);
    draft = fields.set(draft, "retry", retry(fields), ScheduleDraft::retry);
    draft =
        fields.set(
            draft, "recovery", fields.word("recovery", Recovery.class), ScheduleDraft::recovery);
    draft = fields.set(draft, "timeout", fields.duration("timeout"), ScheduleDraft::timeout);
    draft =
        fields.set(
            draft,
            "pauseAfterFailures",
            fields.whole("pauseAfterFailures", 1, Integer.MAX_VALUE).map(Math::toIntExact),
            ScheduleDraft::pauseAfterFailures);
    draft =
        fields.set(
            draft, "maxRuns", fields.whole("maxRuns", 1, Long.MAX_VALUE), ScheduleDraft::maxRuns);
    draft =
        fields.set(draft, "description", fields.text("description"), ScheduleDraft::description);
    return fields.set(draft, "tags", fields.texts("tags", MOST_TAGS), ScheduleDraft::tags);
  }

  private ScheduleDraft timed(Fields fields, ScheduleDraft draft) {
    if (!fields.has("timing")) {
      fields.mistake("timing", "say when it runs, such as {\"cron\": \"0 2 * * *\"}");
      return draft;
    }
    return fields.object("timing").map(timing -> timings.apply(timing, draft)).orElse(draft);
  }

  private static Optional<Window> window(Fields fields) {
    Optional<Fields> window = fields.object("window");
    Optional<Instant> from = window.flatMap(ends -> ends.instant("from"));
    Optional<Instant> until = window.flatMap(ends -> ends.instant("until"));
    return window.flatMap(
        ends ->
            fields.tried(
                "window", () -> new Window(from.orElse(Instant.MIN), until.orElse(Instant.MAX))));
  }

  private Optional<Jitter> jitter(Fields fields) {
    Optional<Duration> amount = fields.duration("jitter");
    Optional<Jitter.Mode> mode = fields.word("jitterMode", Jitter.Mode.class);
    if (amount.isEmpty() && mode.isEmpty()) {
      return Optional.of(defaults.jitter());
    }
    return fields.tried(
        "jitter",
        () ->
            new Jitter(
                amount.orElse(defaults.jitter().amount()), mode.orElse(defaults.jitter().mode())));
  }

  private ScheduleDraft overlapping(Fields fields, ScheduleDraft draft) {
    Optional<Overlap.Rule> rule = fields.word("overlap", Overlap.Rule.class);
    Optional<Long> limit = fields.whole("queueLimit", 1, Overlap.LONGEST_QUEUE);
    if (limit.isPresent() && rule.orElse(defaults.overlap().rule()) != Overlap.Rule.QUEUE) {
      fields.mistake("queueLimit", "only the overlap rule queue has a limit; leave it out");
      return draft;
    }
    return limit
        .map(most -> draft.overlap(Overlap.queue(Math.toIntExact(most))))
        .or(() -> rule.map(draft::overlap))
        .orElseGet(() -> draft.overlap(defaults.overlap()));
  }

  /* What is not said is as usual for the kind of timing; an age of null is said: any. */
  private static ScheduleDraft catchingUp(Fields fields, ScheduleDraft draft) {
    Optional<Fields> given = fields.object("catchUp");
    if (given.isEmpty()) {
      return draft;
    }
    Fields inner = given.get();
    Optional<String> mode =
        inner
            .text("mode")
            .filter(name -> inner.tried("mode", () -> CatchUp.modeNamed(name)).isPresent());
    Optional<Integer> limit = inner.whole("limit", 1, CatchUp.LARGEST_LIMIT).map(Math::toIntExact);
    boolean anyAge = inner.isNull("maxAge");
    Optional<Duration> maxAge = inner.duration("maxAge");
    Optional<Duration> grace = inner.duration("grace");
    CatchUp any = inner.set(CatchUp.skip(), "maxAge", maxAge, CatchUp::maxAge);
    inner.set(any, "grace", grace, CatchUp::grace);
    return draft.catchUp(
        usual -> {
          CatchUp aged = anyAge ? usual.anyAge() : maxAge.map(usual::maxAge).orElse(usual);
          CatchUp limited = limit.map(aged::limit).orElse(aged);
          CatchUp late = grace.map(limited::grace).orElse(limited);
          return mode.map(late::called).orElse(late);
        });
  }

  static Optional<Retry> retry(Fields fields) {
    Optional<Fields> given = fields.object("retry");
    if (given.isEmpty()) {
      return Optional.of(RunPolicy.DEFAULT.retry());
    }
    Fields inner = given.get();
    Optional<Long> attempts = inner.whole("attempts", 1, Retry.MOST_ATTEMPTS);
    Optional<Duration> backoff = inner.duration("backoff");
    Optional<Double> factor = inner.number("factor");
    Optional<Duration> most = inner.duration("maxBackoff");
    Retry retry = Retry.times(Math.toIntExact(attempts.orElse(1L)));
    retry = inner.set(retry, "backoff", backoff, Retry::backoff);
    retry = inner.set(retry, "factor", factor, Retry::factor);
    return Optional.of(inner.set(retry, "maxBackoff", most, Retry::maxBackoff));
  }
}
