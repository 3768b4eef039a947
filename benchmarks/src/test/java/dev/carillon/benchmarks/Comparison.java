package dev.carillon.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One question put to Carillon and to a peer, with both answers. */
record Comparison(
    Peer peer,
    PlainCron cron,
    ZoneId zone,
    Instant after,
    Optional<Instant> ours,
    Optional<Instant> theirs) {

  boolean agrees() {
    return ours.equals(theirs);
  }

  /** Tell whether our answer is what the dialect demands, by the slow and plain evaluator. */
  boolean oursIsRight() {
    return ours.equals(cron.next(after, zone, Reading.CARILLON));
  }

  /** Tell whether theirs is the answer of that reading. */
  boolean theyRead(Reading reading) {
    return theirs.equals(cron.next(after, zone, reading));
  }

  /** Tell whether theirs is a fire at all, however many fires it left out. */
  boolean theirsIsSomeFire() {
    Reading generous = reading().with(Reading.Overlap.BOTH);
    return theirs
        .filter(fire -> cron.next(fire.minusSeconds(1), zone, generous).equals(theirs))
        .isPresent();
  }

  /** Tell whether theirs is a later fire and every fire it left out satisfies {@code excuse}. */
  boolean theyOnlyLose(Predicate<Instant> excuse) {
    return theirsIsSomeFire() && lost().findAny().isPresent() && lost().allMatch(excuse);
  }

  /** Walk the fires between the question and their answer. */
  Stream<Instant> lost() {
    Instant end = theirs.orElse(Instant.MAX);
    return cron.fires(after, zone, reading()).takeWhile(fire -> fire.isBefore(end));
  }

  /** Carillon's reading with the peer's way of combining the days. */
  Reading reading() {
    return Reading.CARILLON.with(peer.days(cron));
  }

  LocalDateTime local(Instant instant) {
    return instant.atZone(zone).toLocalDateTime();
  }

  LocalDate date(Instant instant) {
    return local(instant).toLocalDate();
  }

  /** Find the transition nearest to {@code instant}, if one is within {@code reach}. */
  Optional<ZoneOffsetTransition> transitionNear(Instant instant, Duration reach) {
    return Optional.ofNullable(zone.getRules().nextTransition(instant.minus(reach).minusSeconds(1)))
        .filter(transition -> !transition.getInstant().isAfter(instant.plus(reach)));
  }

  @Override
  public String toString() {
    return "%s [%s for %s] in %s after %s:%n  ours   %s%n  theirs %s"
        .formatted(cron, peer.write(cron), peer, zone, at(after), at(ours), at(theirs));
  }

  private String at(Optional<Instant> instant) {
    return instant.map(this::at).orElse("never");
  }

  private String at(Instant instant) {
    return instant + " = " + instant.atZone(zone);
  }
}
