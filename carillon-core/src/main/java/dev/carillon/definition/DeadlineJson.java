package dev.carillon.definition;

import dev.carillon.policy.Deadline;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a deadline is read and written as JSON. */
public final class DeadlineJson {
  private DeadlineJson() {}

  static Optional<Deadline> read(FieldSource source, String name) {
    return source.object(name).flatMap(json -> read(source, name, json));
  }

  private static Optional<Deadline> read(FieldSource source, String name, FieldSource json) {
    Optional<Duration> after = json.duration("after");
    Optional<LocalTime> at =
        json.text("at").flatMap(text -> json.tried("at", () -> Deadline.time(text)));
    Optional<String> calendar = json.text("calendar");
    Optional<String> escalateTo = escalateTo(json);
    return escalateTo.flatMap(
        target -> source.tried(name, () -> new Deadline(after, at, calendar, target)));
  }

  /** Read the target that is told, which every deadline names. */
  public static Optional<String> escalateTo(FieldSource json) {
    return json.text("escalateTo")
        .or(
            () ->
                json.tried(
                    "escalateTo",
                    () -> {
                      throw new InvalidValueException(
                          "say which target runs when the time is over");
                    }));
  }

  static Map<String, @Nullable Object> write(Deadline deadline, JsonStyle style) {
    return new JsonMembers(style)
        .add("after", deadline.after().orElse(null), null)
        .add("at", deadline.at().orElse(null), null)
        .add("calendar", deadline.calendar().orElse(null), null)
        .add("escalateTo", deadline.escalateTo())
        .json();
  }
}
