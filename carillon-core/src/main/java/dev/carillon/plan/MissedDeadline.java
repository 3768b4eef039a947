package dev.carillon.plan;

import dev.carillon.model.Attempt;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.Trigger;
import dev.carillon.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a run missed its deadline, and tells what became of one that did. Pure. */
public final class MissedDeadline {
  private MissedDeadline() {}

  /**
   * Tell whether {@code run} was not finished by {@code deadline}, which has passed. A run that was
   * skipped or canceled has nothing to finish, and one that fills a past slot has no deadline.
   */
  public static boolean isMissed(Run run, Instant deadline) {
    return run.trigger() != Trigger.BACKFILL
        && switch (run.state()) {
          case PENDING, RUNNING -> true;
          case SUCCEEDED, FAILED ->
              run.finishedAt().filter(end -> end.isAfter(deadline)).isPresent();
          case CANCELED, SKIPPED -> false;
        };
  }

  /** Return what the escalation of {@code run} is given. Its payload is none of it. */
  public static Payload story(Run run, Instant deadline, Instant now) {
    Duration over = Duration.between(deadline, now).truncatedTo(ChronoUnit.SECONDS);
    var story = new LinkedHashMap<String, @Nullable Object>();
    story.put("event", "deadline.missed");
    story.put("text", text(run, deadline, over));
    story.put("run", run.id().toString());
    story.put("schedule", run.schedule().orElse(null));
    story.put("version", run.version());
    story.put("target", run.target());
    story.put("trigger", word(run.trigger()));
    story.put("slot", run.slot().toString());
    story.put("dueAt", run.dueAt().toString());
    story.put("deadline", deadline.toString());
    story.put("overdueBy", over.toString());
    story.put("state", word(run.state()));
    story.put("attempt", run.attempt());
    story.put("node", run.node().map(Object::toString).orElse(null));
    story.put("startedAt", run.startedAt().map(Instant::toString).orElse(null));
    story.put("finishedAt", run.finishedAt().map(Instant::toString).orElse(null));
    story.put("externalId", run.externalId().orElse(null));
    story.put("correlation", run.correlation().orElse(null));
    story.put("lastFailure", lastFailure(run).map(MissedDeadline::json).orElse(null));
    return Payload.of(story);
  }

  private static String text(Run run, Instant deadline, Duration over) {
    String who =
        run.schedule()
            .map(key -> "schedule '%s', slot %s".formatted(key, run.slot()))
            .orElseGet(() -> "run %s of target '%s'".formatted(run.id(), run.target()));
    return "%s: not finished by %s, %s ago; %s"
        .formatted(who, deadline, DurationText.of(over), state(run));
  }

  private static String state(Run run) {
    return switch (run.state()) {
      case PENDING ->
          run.attempt() == 0
              ? "it has not started"
              : "it waits for another attempt after attempt " + run.attempt();
      case RUNNING ->
          "it has been running since %s, in attempt %s"
              .formatted(run.startedAt().map(Instant::toString).orElse("-"), run.attempt());
      case SUCCEEDED, FAILED, CANCELED, SKIPPED ->
          "it %s at %s"
              .formatted(word(run.state()), run.finishedAt().map(Instant::toString).orElse("-"));
    };
  }

  private static Optional<Failure> lastFailure(Run run) {
    List<Attempt> attempts = run.attempts();
    return run.failure()
        .or(
            () ->
                attempts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(attempts.get(attempts.size() - 1).failure()));
  }

  private static Map<String, Object> json(Failure failure) {
    return Map.of("code", failure.code(), "message", failure.message());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
