package dev.carillon.server.api;

import dev.carillon.RunDraft;
import dev.carillon.definition.DeadlineJson;
import dev.carillon.policy.Deadline;
import dev.carillon.server.read.JsonFields;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How the deadline of a run without a schedule is given: a while after it is due, or an instant.
 */
final class RunDeadlineForm {
  private RunDeadlineForm() {}

  static Optional<UnaryOperator<RunDraft>> read(JsonFields fields, String name) {
    return fields.object(name).flatMap(RunDeadlineForm::read);
  }

  private static Optional<UnaryOperator<RunDraft>> read(JsonFields deadline) {
    Optional<Duration> after = deadline.duration("after");
    Optional<Instant> at = deadline.instant("at");
    Optional<String> calendar = deadline.text("calendar");
    Optional<String> escalateTo = DeadlineJson.escalateTo(deadline);
    if (after.isPresent() == at.isPresent()) {
      deadline.error("a deadline has either after, such as PT1H, or at, an instant");
      return Optional.empty();
    }
    if (at.isPresent() && calendar.isPresent()) {
      deadline.error("calendar", "a calendar counts working time, and so needs after, not at");
    }
    return escalateTo.map(
        target ->
            draft ->
                at.map(instant -> draft.deadline(instant, target))
                    .orElseGet(() -> draft.deadline(relative(after, calendar, target))));
  }

  private static Deadline relative(
      Optional<Duration> after, Optional<String> calendar, String target) {
    return new Deadline(after, Optional.empty(), calendar, target);
  }
}
