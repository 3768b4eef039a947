package dev.carillon.definition;

import dev.carillon.policy.Retry;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How windows and retries are read and written as JSON. */
final class PolicyJson {
  private PolicyJson() {}

  static Optional<Window> readWindow(FieldSource source, String name) {
    Optional<? extends FieldSource> window = source.object(name);
    Optional<Instant> from = window.flatMap(ends -> ends.instant("from"));
    Optional<Instant> until = window.flatMap(ends -> ends.instant("until"));
    return window.flatMap(
        ends ->
            source.tried(
                name, () -> new Window(from.orElse(Instant.MIN), until.orElse(Instant.MAX))));
  }

  static Map<String, @Nullable Object> write(Window window, JsonStyle style) {
    return new JsonMembers(style)
        .add("from", window.from().equals(Instant.MIN) ? null : window.from(), null)
        .add("until", window.until().equals(Instant.MAX) ? null : window.until(), null)
        .json();
  }

  static Optional<Retry> readRetry(FieldSource source, String name) {
    return source.object(name).map(PolicyJson::readRetry);
  }

  private static Retry readRetry(FieldSource json) {
    Optional<Long> attempts = json.whole("attempts", 1, Retry.MAX_ATTEMPTS);
    Optional<Duration> backoff = json.duration("backoff");
    Optional<Double> factor = json.number("factor");
    Optional<Duration> most = json.duration("maxBackoff");
    Retry retry = Retry.times(Math.toIntExact(attempts.orElse(1L)));
    retry = json.set(retry, "backoff", backoff, Retry::backoff);
    retry = json.set(retry, "factor", factor, Retry::factor);
    return json.set(retry, "maxBackoff", most, Retry::maxBackoff);
  }

  static Map<String, @Nullable Object> write(Retry retry, JsonStyle style) {
    return new JsonMembers(style)
        .add("attempts", retry.attempts())
        .add("backoff", retry.backoff())
        .add("factor", retry.factor())
        .add("maxBackoff", retry.maxBackoff())
        .json();
  }
}
