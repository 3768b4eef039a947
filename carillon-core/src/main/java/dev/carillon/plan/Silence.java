package dev.carillon.plan;

import dev.carillon.model.Payload;
import dev.carillon.policy.Expectation;
import dev.carillon.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a schedule has been without a success for too long, and tells about it. Pure.
 *
 * @param since its last success, or when it was last stored, paused or resumed if that is later
 * @param overdueAt when it counts as silent
 */
public record Silence(Instant since, Instant overdueAt) {

  /**
   * Reckon from what is known of a schedule.
   *
   * @param changedAt when it was last stored, paused or resumed: the clock starts anew
   */
  public static Silence of(
      Expectation expectation, Optional<Instant> lastSuccess, Instant changedAt) {
    Instant since = lastSuccess.map(at -> Instants.later(at, changedAt)).orElse(changedAt);
    return new Silence(since, expectation.overdueAt(since));
  }

  /** Tell whether it counts as silent at {@code now}. */
  public boolean isOver(Instant now) {
    return !now.isBefore(overdueAt);
  }

  /** Return what the escalation is given. */
  public Payload story(
      String schedule,
      String target,
      Expectation expectation,
      Optional<Instant> lastSuccess,
      Instant now) {
    Duration silent = Duration.between(since, now).truncatedTo(ChronoUnit.SECONDS);
    var story = new LinkedHashMap<String, @Nullable Object>();
    story.put("event", "success.overdue");
    story.put(
        "text",
        "schedule '%s' has not succeeded since %s, for %s; a success is expected every %s%s"
            .formatted(
                schedule,
                since,
                DurationText.of(silent),
                DurationText.of(expectation.successEvery()),
                expectation.grace().isZero()
                    ? ""
                    : ", with a grace of " + DurationText.of(expectation.grace())));
    story.put("schedule", schedule);
    story.put("target", target);
    story.put("lastSuccess", lastSuccess.map(Instant::toString).orElse(null));
    story.put("since", since.toString());
    story.put("silentFor", silent.toString());
    story.put("overdueAt", overdueAt.toString());
    story.put(
        "overdueBy", Duration.between(overdueAt, now).truncatedTo(ChronoUnit.SECONDS).toString());
    story.put("successEvery", expectation.successEvery().toString());
    story.put("grace", expectation.grace().toString());
    return Payload.of(story);
  }
}
