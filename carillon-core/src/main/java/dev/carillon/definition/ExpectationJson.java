package dev.carillon.definition;

import dev.carillon.policy.Expectation;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an expectation is read and written as JSON. */
final class ExpectationJson {
  private ExpectationJson() {}

  static Optional<Expectation> read(FieldSource source, String name) {
    return source.object(name).flatMap(ExpectationJson::read);
  }

  private static Optional<Expectation> read(FieldSource json) {
    Optional<Duration> grace = json.duration("grace");
    Optional<String> escalateTo = json.text("escalateTo");
    Optional<Expectation> every =
        json.duration("successEvery")
            .or(
                () ->
                    json.tried(
                        "successEvery",
                        () -> {
                          throw new InvalidValueException(
                              "say how often it is to succeed, such as P1D");
                        }))
            .flatMap(time -> json.tried("successEvery", () -> Expectation.successEvery(time)));
    return every
        .map(expectation -> json.set(expectation, "grace", grace, Expectation::grace))
        .map(expectation -> escalateTo.map(expectation::escalateTo).orElse(expectation));
  }

  static Map<String, @Nullable Object> write(Expectation expectation, JsonStyle style) {
    return new JsonMembers(style)
        .add("successEvery", expectation.successEvery())
        .add("grace", expectation.grace(), Duration.ZERO)
        .add("escalateTo", expectation.escalateTo().orElse(null), null)
        .json();
  }
}
