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
    return fields.object(name).flatMap(deadline -> read(fields, name, deadline));
  }

  private static Optional<UnaryOperator<RunDraft>> read(
      JsonFields fields, String name, JsonFields deadline) {
    Optional<Duration> after = deadline.duration("after");
    Optional<Instant> at = deadline.instant("at");
    Optional<String> calendar = deadline.text("calendar");
    Optional<String> escalateTo = DeadlineJson.escalateTo(deadline);
    if (deadline.has("after") == deadline.has("at")) {
      deadline.error("a deadline has either after, such as PT1H, or at, an instant");
      return Optional.empty();
    }
    if (at.isPresent() && calendar.isPresent()) {
      deadline.error("calendar", "a calendar counts working time, and so needs after, not at");
    }
    return escalateTo.flatMap(
        target ->
            at.map(instant -> Optional.of(fixed(instant, target)))
                .orElseGet(
                    () ->
                        after
                            .flatMap(time -> relative(fields, name, deadline, time, target))
                            .map(RunDeadlineForm::counted)));
  }

  private static UnaryOperator<RunDraft> fixed(Instant at, String target) {
    return draft -> draft.deadline(at, target);
  }

  private static UnaryOperator<RunDraft> counted(Deadline deadline) {
    return draft -> draft.deadline(deadline);
  }

  private static Optional<Deadline> relative(
      JsonFields fields, String name, JsonFields deadline, Duration after, String target) {
    Optional<String> calendar = deadline.text("calendar");
    return DeadlineJson.checked(
        fields,
        name,
        deadline,
        () -> new Deadline(Optional.of(after), Optional.empty(), calendar, target));
  }
}
