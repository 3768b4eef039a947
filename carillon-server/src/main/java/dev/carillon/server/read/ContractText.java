package dev.carillon.server.read;

import dev.carillon.definition.JsonStyle;
import dev.carillon.server.web.Truncated;
import dev.carillon.server.web.UnknownName;
import dev.carillon.time.DurationText;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The texts of the contract: durations, instants and the words of enums, both ways. */
public final class ContractText {
  private static final int FIRST_YEAR = 1970;
  private static final int LAST_YEAR = 9999;

  private ContractText() {}

  /** Read a duration: ISO 8601, or in short, such as {@code 90s} and {@code 1h30m}. */
  public static Duration duration(String text) {
    return DurationText.parse(text);
  }

  /** Read a duration, or an ISO 8601 period. */
  public static PeriodDuration amount(String text) {
    return PeriodDuration.parse(text);
  }

  /** Write an ISO 8601 duration, with days where there are whole ones. */
  public static String of(Duration duration) {
    return JsonStyle.inDays(duration);
  }

  /** Read an RFC 3339 instant, with whatever offset. */
  public static Instant instant(String text) {
    try {
      if (text.length() <= Truncated.MAX_LENGTH) {
        OffsetDateTime moment = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
        if (moment.getYear() >= FIRST_YEAR && moment.getYear() <= LAST_YEAR) {
          return moment.toInstant();
        }
        throw new InvalidValueException(
            "'%s' is out of range; use a year from %s to %s"
                .formatted(Truncated.of(text), FIRST_YEAR, LAST_YEAR));
      }
    } catch (DateTimeException e) {
      // falls through to the same complaint
    }
    throw new InvalidValueException(
        "'%s' is no instant; write it as 2026-03-01T02:00:00Z".formatted(Truncated.of(text)));
  }

  /** Write an RFC 3339 instant in UTC. */
  public static String of(Instant instant) {
    return instant.toString();
  }

  /** Write what clocks of some zone show, always with seconds. */
  public static String of(LocalDateTime local) {
    return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(local);
  }

  /** Write a constant as the contract spells it. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Return the words of the constants of {@code type}. */
  public static <E extends Enum<E>> List<String> words(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(ContractText::word).toList();
  }

  /** Read the constant of {@code type} that {@code word} spells. */
  public static <E extends Enum<E>> E word(Class<E> type, String word) {
    List<String> words = words(type);
    int at = words.indexOf(word);
    if (at < 0) {
      throw new InvalidValueException(UnknownName.word(word, words));
    }
    return type.getEnumConstants()[at];
  }
}
