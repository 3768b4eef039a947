package dev.carillon.definition;

import dev.carillon.policy.Deadline;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a deadline is read and written as JSON. */
public final class DeadlineJson {
  private DeadlineJson() {}

  static Optional<Deadline> read(FieldSource source, String name) {
    return source.object(name).flatMap(json -> read(source, name, json));
  }

  private static Optional<Deadline> read(FieldSource source, String name, FieldSource json) {
    Optional<Duration> after = json.duration("after");
    Optional<String> text = json.text("at");
    Optional<LocalTime> at = text.flatMap(time -> json.tried("at", () -> Deadline.time(time)));
    Optional<String> calendar = json.text("calendar");
    Optional<String> escalateTo = escalateTo(json);
    return text.isPresent() && at.isEmpty()
        ? Optional.empty()
        : escalateTo.flatMap(
            target -> checked(source, name, json, () -> new Deadline(after, at, calendar, target)));
  }

  /** Return a deadline that is made by {@code making}, or report which of its fields is refused. */
  public static Optional<Deadline> checked(
      FieldSource source, String name, FieldSource json, Supplier<Deadline> making) {
    try {
      return Optional.of(making.get());
    } catch (InvalidValueException refusal) {
      Supplier<Deadline> again =
          () -> {
            throw refusal;
          };
      return refusal
          .field()
          .map(field -> json.tried(field, again))
          .orElseGet(() -> source.tried(name, again));
    }
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
