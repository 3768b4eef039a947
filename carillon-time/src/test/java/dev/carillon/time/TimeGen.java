package dev.carillon.time;

import dev.carillon.fixture.Gen;
import dev.carillon.time.business.BusinessGen;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/** A source of random timings, zones and texts, all of which follow from one seed. */
final class TimeGen extends Gen {
  static final List<ZoneId> ZONES =
      ZoneId.getAvailableZoneIds().stream()
          .filter(id -> !id.startsWith("SystemV/"))
          .sorted()
          .map(ZoneId::of)
          .toList();
  private static final Instant NEW_CENTURY = Instant.parse("2000-01-01T00:00:00Z");
  private static final List<ZoneId> SHIFTING =
      ZONES.stream().filter(zone -> zone.getRules().nextTransition(NEW_CENTURY) != null).toList();
  private static final String CRON_SIGNS = "0123456789*/,-?LWH#+@() \t~.:lwhxJANMONfri";

  TimeGen(long seed) {
    super(seed);
  }

  /** Return any zone, most often one whose clocks have changed in this century. */
  ZoneId zone() {
    return oneOf(percent(75) ? SHIFTING : ZONES);
  }

  /**
   * Return an instant from 1971 to 2190, most often near our days, and not always a full second.
   */
  @Override
  public Instant instant() {
    Instant second =
        Instant.ofEpochSecond(
            percent(70)
                ? number(946_684_800L, 2_208_988_800L)
                : number(31_536_000L, 6_942_000_000L));
    return percent(80) ? second : second.plusNanos(number(0, 999_999_999));
  }

  /** Return an instant within three days of a change of the zone's offset, if it has any. */
  Instant instantNearShiftOf(ZoneId zone) {
    Instant start = instant();
    ZoneOffsetTransition shift = zone.getRules().nextTransition(start);
    if (shift == null) {
      shift = zone.getRules().previousTransition(start);
    }
    boolean unusable = shift == null || shift.getInstant().getEpochSecond() < 31_536_000L;
    return unusable
        ? start
        : nearFullMinute(shift.getInstant().plusSeconds(number(-259_200, 259_200)));
  }

  /** Return {@code instant} or, half of the time, one at most a second from a minute or an hour. */
  Instant nearFullMinute(Instant instant) {
    if (percent(50)) {
      return instant;
    }
    return instant
        .truncatedTo(percent(50) ? ChronoUnit.HOURS : ChronoUnit.MINUTES)
        .plusSeconds(number(-1, 1))
        .plusNanos(oneOf(0, 0, 1, 999_999_999));
  }

  DstGap gap() {
    return oneOf(DstGap.values());
  }

  DstOverlap overlap() {
    return oneOf(DstOverlap.values());
  }

  /** Return a valid expression without {@code H} that fires at least once from 2020 to 2031. */
  String expression() {
    return expression(new Grammar(this));
  }

  /** Return such an expression, most often one that fires near {@code aim}. */
  String expressionNear(LocalDateTime aim) {
    return expression(Grammar.aimedAt(aim, this));
  }

  private static String expression(Grammar grammar) {
    while (true) {
      String expression = grammar.expression();
      Reference reference = new Reference(expression, ZoneId.of("UTC"));
      if (reference.slotsPerDay() <= 1500 && reference.firesInOurDays()) {
        return expression;
      }
    }
  }

  /** Return an expression as the product and the reference read it, most often with defaults. */
  Twin twin() {
    return percent(60)
        ? new Twin(expression(), zone(), DstGap.FIRE_AFTER, DstOverlap.AUTO)
        : new Twin(expression(), zone(), gap(), overlap());
  }

  Every every() {
    long seconds = percent(80) ? number(1L, 100_000L) : number(1L, 1_000_000_000L);
    return new Every(
        Duration.ofSeconds(seconds), Instant.ofEpochSecond(number(0L, 4_000_000_000L)));
  }

  /** Return a period of days, months or years, most often a short one. */
  Period period() {
    Period period =
        Period.of(
            percent(20) ? number(0, 3) : 0,
            percent(60) ? number(0, 14) : 0,
            percent(60) ? number(0, 40) : 0);
    return period.isZero() ? Period.ofDays(1) : period;
  }

  EveryPeriod everyPeriod() {
    ZoneId zone = zone();
    LocalDateTime anchor =
        percent(50)
            ? LocalDateTime.ofEpochSecond(number(0L, 4_000_000_000L), 0, ZoneOffset.UTC)
            : LocalDateTime.ofInstant(instantNearShiftOf(zone), zone)
                .truncatedTo(ChronoUnit.SECONDS);
    return new EveryPeriod(period(), anchor, zone);
  }

  Timing timing() {
    return switch (number(0, 9)) {
      case 0 -> new Once(instant());
      case 1, 2 -> every();
      case 3 -> everyPeriod();
      case 4 -> new BusinessGen(number(0L, 1_000_000_000L)).timing();
      default -> twin().cron();
    };
  }

  /** Return up to 300 characters that are hardly ever an expression. */
  String garbage() {
    int length = percent(90) ? number(0, 40) : number(0, 300);
    int kind = number(0, 3);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      switch (kind) {
        case 0 -> text.append((char) number(0, 127));
        case 1 -> text.appendCodePoint(number(0, Character.MAX_CODE_POINT));
        default -> text.append(sign());
      }
    }
    return text.toString();
  }

  /** Return an expression with one to three slips of the pen. */
  String mutated() {
    StringBuilder text = new StringBuilder(new Grammar(this).expressionWithHash());
    for (int slips = number(1, 3); slips > 0; slips--) {
      int at = number(0, text.length());
      switch (number(0, 3)) {
        case 0 -> text.insert(at, sign());
        case 1 -> text.delete(at, at + 1);
        case 2 -> text.replace(at, at + 1, String.valueOf(sign()));
        default -> text.insert(at, text.substring(at, Math.min(text.length(), at + number(1, 9))));
      }
      if (text.isEmpty()) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  private char sign() {
    return CRON_SIGNS.charAt(number(0, CRON_SIGNS.length() - 1));
  }
}
