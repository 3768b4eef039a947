package dev.carillon.benchmarks;

import static java.time.temporal.ChronoUnit.DAYS;

import dev.carillon.benchmarks.Reading.Days;
import dev.carillon.benchmarks.Reading.Gap;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An expression together with its meaning, evaluated by walking the calendar day by day.
 *
 * <p>It shares nothing with the evaluator under test and can be read in any {@link Reading}, so a
 * difference between Carillon and a peer can be traced to the one rule that explains it.
 */
record PlainCron(
    Field seconds, Field minutes, Field hours, DayField dom, Field months, DayField dow) {

  private static final LocalDate END = LocalDate.of(2200, 1, 1);

  /** A field of plain numbers. */
  record Field(String text, BitSet values) {
    boolean hasWildcard() {
      return text.contains("*");
    }
  }

  /** A field of days; Quartz counts weekdays from 1 and so needs its own text. */
  record DayField(String text, String quartz, Predicate<LocalDate> matches) {
    boolean restricted() {
      return !text.equals("*");
    }
  }

  boolean restrictsBothDays() {
    return dom.restricted() && dow.restricted();
  }

  boolean hasStepOfOneDay() {
    return dom.text().equals("*/1") || dow.text().equals("*/1");
  }

  /** Write the expression with five fields, or six when the seconds are not simply zero. */
  @Override
  public String toString() {
    String five = unix();
    return seconds.text().equals("0") ? five : seconds.text() + " " + five;
  }

  String unix() {
    return String.join(" ", minutes.text(), hours.text(), dom.text(), months.text(), dow.text());
  }

  String spring() {
    return String.join(
        " ",
        seconds.text(),
        minutes.text(),
        hours.text(),
        dom.text(),
        months.text(),
        dow.text().replace("*/", "0-6/"));
  }

  String quartz() {
    return String.join(
        " ",
        seconds.text(),
        minutes.text(),
        hours.text(),
        dow.restricted() ? "?" : dom.quartz(),
        months.text(),
        dow.restricted() ? dow.quartz() : "?");
  }

  /** Find the first fire strictly after {@code after}. */
  Optional<Instant> next(Instant after, ZoneId zone, Reading reading) {
    return fires(after, zone, reading).findFirst();
  }

  /** Walk all fires strictly after {@code after}, oldest first. */
  Stream<Instant> fires(Instant after, ZoneId zone, Reading reading) {
    LocalDateTime now = after.atZone(zone).toLocalDateTime();
    return now.toLocalDate()
        .minusDays(1)
        .datesUntil(END)
        .filter(day -> matches(day, reading.days()))
        .flatMap(day -> firesOn(day, now, zone.getRules(), reading))
        .filter(fire -> fire.isAfter(after));
  }

  private boolean matches(LocalDate day, Days days) {
    if (!months.values().get(day.getMonthValue())) {
      return false;
    }
    boolean byDom = dom.matches().test(day);
    boolean byDow = dow.matches().test(day);
    boolean either = restrictsBothDays() && days == Days.EITHER;
    return either ? byDom || byDow : byDom && byDow;
  }

  private Stream<Instant> firesOn(
      LocalDate day, LocalDateTime now, ZoneRules rules, Reading reading) {
    boolean today = day.equals(now.toLocalDate());
    if (isOrdinary(day, rules)) {
      ZoneOffset offset = rules.getOffset(day.atStartOfDay());
      return slots(day, today ? now.getHour() : 0).map(slot -> slot.toInstant(offset));
    }
    return slots(day, 0)
        .flatMap(slot -> instantsOf(slot, rules, reading).stream())
        .collect(Collectors.toCollection(TreeSet::new))
        .stream();
  }

  /** Tell whether every local time of {@code day} and of its neighbours occurs exactly once. */
  private static boolean isOrdinary(LocalDate day, ZoneRules rules) {
    Instant start = day.minusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    var transition = rules.nextTransition(start);
    return transition == null || transition.getInstant().isAfter(start.plus(3, DAYS));
  }

  private Stream<LocalDateTime> slots(LocalDate day, int fromHour) {
    return each(hours)
        .filter(hour -> hour >= fromHour)
        .flatMap(hour -> each(minutes).map(minute -> day.atTime(hour, minute)))
        .flatMap(slot -> each(seconds).map(slot::withSecond));
  }

  private static Stream<Integer> each(Field field) {
    return field.values().stream().boxed();
  }

  private List<Instant> instantsOf(LocalDateTime slot, ZoneRules rules, Reading reading) {
    List<ZoneOffset> offsets = rules.getValidOffsets(slot);
    return switch (offsets.size()) {
      case 0 -> inGap(slot, rules, reading.gap());
      case 1 -> List.of(slot.toInstant(offsets.get(0)));
      default -> inOverlap(slot, offsets, reading.overlap());
    };
  }

  private List<Instant> inGap(LocalDateTime slot, ZoneRules rules, Gap gap) {
    boolean everyHour = hours.values().cardinality() == 24;
    return switch (gap) {
      case FIRE_AFTER -> everyHour ? List.of() : List.of(rules.getTransition(slot).getInstant());
      case SKIP -> List.of();
      case SHIFT -> List.of(slot.toInstant(rules.getTransition(slot).getOffsetBefore()));
    };
  }

  private List<Instant> inOverlap(
      LocalDateTime slot, List<ZoneOffset> offsets, Reading.Overlap overlap) {
    Instant first = slot.toInstant(offsets.get(0));
    Instant second = slot.toInstant(offsets.get(1));
    return switch (overlap) {
      case AUTO -> hasWildcard() ? List.of(first, second) : List.of(first);
      case FIRST -> List.of(first);
      case SECOND -> List.of(second);
      case BOTH -> List.of(first, second);
    };
  }

  private boolean hasWildcard() {
    return seconds.hasWildcard() || minutes.hasWildcard() || hours.hasWildcard();
  }
}
