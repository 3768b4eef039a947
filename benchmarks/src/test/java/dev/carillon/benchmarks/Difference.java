package dev.carillon.benchmarks;

import static dev.carillon.benchmarks.Peer.CRON_UTILS;
import static dev.carillon.benchmarks.Peer.QUARTZ;
import static dev.carillon.benchmarks.Peer.SPRING;

import dev.carillon.benchmarks.Reading.Gap;
import dev.carillon.benchmarks.Reading.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A known way in which a peer's answer differs from Carillon's, and the proof that it is this one.
 *
 * <p>Constants are tried in order. Most are proved by reading the expression with a single rule
 * changed and obtaining exactly the peer's answer; the peers' defects are proved by showing that
 * everything the peer left out lies where the defect strikes.
 */
@SuppressWarnings("ImmutableEnumChecker") // the sets are never changed, the proofs hold no state
enum Difference {
  /** Both day fields restricted: the peer wants both to match, Carillon either. */
  DAYS_COMBINED_WITH_AND(Set.of(SPRING), c -> c.theyRead(c.reading())),

  /** A day field of a step of one counts as a wildcard, so the other field decides alone. */
  STEP_OF_ONE_IS_WILDCARD(Set.of(CRON_UTILS), c -> c.theyRead(c.reading())),

  /** A slot inside a gap is left out; Carillon fires once right after the gap. */
  GAP_SLOT_SKIPPED(Set.of(SPRING, QUARTZ, CRON_UTILS), c -> c.theyRead(c.reading().with(Gap.SKIP))),

  /** A slot inside a gap comes later by the length of the gap. */
  GAP_SLOT_SHIFTED(Set.of(QUARTZ), c -> c.theyRead(c.reading().with(Gap.SHIFT))),

  /** A fixed time inside an overlap fires in both passes; Carillon fires in the first. */
  OVERLAP_FIRES_TWICE(
      Set.of(SPRING, QUARTZ, CRON_UTILS), c -> c.theyRead(c.reading().with(Overlap.BOTH))),

  /** A wildcard inside an overlap fires in the first pass only; Carillon fires in both. */
  OVERLAP_FIRES_ONCE(Set.of(QUARTZ, CRON_UTILS), c -> c.theyRead(c.reading().with(Overlap.FIRST))),

  /** Fires in an overlap are left out in one pass or the other, and nowhere else. */
  OVERLAP_PASS_SILENT(
      Set.of(SPRING, QUARTZ, CRON_UTILS), c -> c.theyOnlyLose(fire -> isInOverlap(c, fire))),

  /** The answer is not after the question, shortly before an overlap off the full hour. */
  OVERLAP_GOES_BACK(
      Set.of(SPRING),
      c -> c.theirs().filter(fire -> !fire.isAfter(c.after())).isPresent() && isNearOverlap(c)),

  /** Existing times in the hours touched by a gap are left out together with the gap. */
  GAP_SWALLOWS_ITS_HOUR(
      Set.of(SPRING, QUARTZ, CRON_UTILS), c -> c.theyOnlyLose(fire -> isNearGap(c, fire))),

  /** Asked within a day of a gap at midnight, the same hour is left out on a later day as well. */
  GAP_AT_MIDNIGHT_LINGERS(
      Set.of(CRON_UTILS), c -> c.theyOnlyLose(fire -> isBeforeStartOfGapDay(c, fire))),

  /** {@code L-n} goes astray over a month too short to have such a day. */
  LAST_MINUS_MISJUDGES_SHORT_MONTHS(
      Set.of(SPRING), c -> matches("L-\\d+", c.cron().dom().text()) && meetsShortMonth(c)),

  /** {@code nW} misses the months in which the weekday lies before day n. */
  NEAREST_WEEKDAY_SKIPS_A_MONTH(
      Set.of(SPRING),
      c ->
          matches("\\d+W", c.cron().dom().text())
              && c.theyOnlyLose(fire -> c.date(fire).getDayOfMonth() < number(c))),

  /** {@code nW} and {@code LW} leave out fires of the first matching day. */
  NEAREST_WEEKDAY_LOSES_PART_OF_A_DAY(
      Set.of(QUARTZ),
      c ->
          c.cron().dom().text().endsWith("W")
              && c.theyOnlyLose(fire -> c.date(fire).equals(c.date(c.ours().orElseThrow()))));

  private final Set<Peer> peers;
  private final Predicate<Comparison> proof;

  Difference(Set<Peer> peers, Predicate<Comparison> proof) {
    this.peers = EnumSet.copyOf(peers);
    this.proof = proof;
  }

  /** Name the difference shown by {@code comparison}, if it is a known one. */
  static Optional<Difference> of(Comparison comparison) {
    return Arrays.stream(values())
        .filter(difference -> difference.peers.contains(comparison.peer()))
        .filter(difference -> difference.proof.test(comparison))
        .findFirst();
  }

  private static boolean isInOverlap(Comparison c, Instant fire) {
    return c.zone().getRules().getValidOffsets(c.local(fire)).size() == 2;
  }

  private static boolean isNearOverlap(Comparison c) {
    return c.transitionNear(c.after(), Duration.ofHours(2)).filter(t -> t.isOverlap()).isPresent();
  }

  private static boolean isNearGap(Comparison c, Instant fire) {
    return c.transitionNear(fire, Duration.ofHours(1)).filter(t -> t.isGap()).isPresent();
  }

  private static boolean isBeforeStartOfGapDay(Comparison c, Instant fire) {
    return c.transitionNear(c.after(), Duration.ofDays(1))
        .filter(t -> t.isGap() && t.getDateTimeBefore().toLocalTime().equals(LocalTime.MIDNIGHT))
        .filter(t -> c.local(fire).toLocalTime().isBefore(t.getDateTimeAfter().toLocalTime()))
        .isPresent();
  }

  private static boolean matches(String regex, String text) {
    return Pattern.matches(regex, text);
  }

  /** Whether a month from the question to the right answer has no day {@code L-n}. */
  private static boolean meetsShortMonth(Comparison c) {
    Optional<LocalDate> answer = c.cron().next(c.after(), c.zone(), c.reading()).map(c::date);
    LocalDate first = c.date(c.after()).withDayOfMonth(1);
    return first
        .datesUntil(answer.orElse(first.plusYears(8)).plusDays(1), Period.ofMonths(1))
        .anyMatch(month -> month.lengthOfMonth() <= number(c));
  }

  /** The number in {@code nW} or {@code L-n}. */
  private static int number(Comparison c) {
    return Integer.parseInt(c.cron().dom().text().replaceAll("\\D", ""));
  }
}
