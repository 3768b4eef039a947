package dev.carillon.definition;

import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.Retry;
import dev.carillon.time.Window;
import dev.carillon.time.business.CalendarRule;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.Roll;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How windows, calendars and retries are read and written as JSON. */
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

  static Optional<CalendarPolicy> readCalendar(FieldSource source, String name) {
    Optional<? extends FieldSource> json = source.object(name);
    Optional<String> calendar = json.flatMap(fields -> fields.text("name"));
    Optional<Roll> roll = json.flatMap(fields -> fields.word("roll", Roll.class));
    int most = CalendarRule.MAX_OFFSET;
    Optional<Long> offset = json.flatMap(fields -> fields.whole("offset", -most, most));
    Optional<OutsideHours> outsideHours =
        json.flatMap(fields -> fields.word("outsideHours", OutsideHours.class));
    return json.flatMap(
        fields ->
            source.tried(
                name,
                () ->
                    new CalendarPolicy(
                        calendar.orElse(""),
                        roll.orElse(Roll.FOLLOWING),
                        Math.toIntExact(offset.orElse(0L)),
                        outsideHours.orElse(OutsideHours.ALLOW))));
  }

  static Map<String, @Nullable Object> write(CalendarPolicy calendar, JsonStyle style) {
    return new JsonMembers(style)
        .add("name", calendar.name())
        .add("roll", calendar.roll())
        .add("offset", (long) calendar.offset(), 0L)
        .add("outsideHours", calendar.outsideHours(), OutsideHours.ALLOW)
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
    Optional<String> calendar = json.text("calendar");
    Retry retry = Retry.times(Math.toIntExact(attempts.orElse(1L)));
    retry = json.set(retry, "backoff", backoff, Retry::backoff);
    retry = json.set(retry, "factor", factor, Retry::factor);
    retry = json.set(retry, "maxBackoff", most, Retry::maxBackoff);
    return json.set(
        retry, "calendar", calendar, (said, name) -> said.calendar(FieldLimits.calendar(name)));
  }

  static Map<String, @Nullable Object> write(Retry retry, JsonStyle style) {
    return new JsonMembers(style)
        .add("attempts", retry.attempts())
        .add("backoff", retry.backoff())
        .add("factor", retry.factor())
        .add("maxBackoff", retry.maxBackoff())
        .add("calendar", retry.calendar().orElse(null), null)
        .json();
  }
}
