package dev.carillon.targets.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parses the header {@code Retry-After} of RFC 9110: seconds, or a date in three formats. */
final class RetryAfter {
  /** The longest wait that is honoured, so that an endpoint cannot delay a run for ever. */
  static final Duration MAX_WAIT = Duration.ofDays(1);

  private static final int MAX_DIGITS = 18;

  private RetryAfter() {}

  /** Return how long to wait from {@code now}; empty if {@code value} is not valid. */
  static Optional<Duration> read(String value, Instant now) {
    String text = value.strip();
    if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.of(
          text.length() > MAX_DIGITS ? MAX_WAIT : clamp(Duration.ofSeconds(Long.parseLong(text))));
    }
    return formats(now).stream()
        .flatMap(format -> date(text, format).stream())
        .findFirst()
        .map(at -> clamp(Duration.between(now, at)));
  }

  private static Optional<Instant> date(String text, DateTimeFormatter format) {
    try {
      return Optional.of(LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException notThisFormat) {
      return Optional.empty();
    }
  }

  private static Duration clamp(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
  }

  private static List<DateTimeFormatter> formats(Instant now) {
    return List.of(
        format(DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)),
        // RFC 9110, 5.6.7: two digits that seem more than 50 years ahead mean the past century
        format(
            new DateTimeFormatterBuilder()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, twoDigitYearStart(now))
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.US)),
        format(DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US)));
  }

  private static LocalDate twoDigitYearStart(Instant now) {
    return now.atOffset(ZoneOffset.UTC).toLocalDate().minusYears(49);
  }

  private static DateTimeFormatter format(DateTimeFormatter format) {
    return format.withResolverStyle(ResolverStyle.STRICT);
  }
}
