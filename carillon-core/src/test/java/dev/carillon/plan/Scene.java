package dev.carillon.plan;

import dev.carillon.fixture.Gen;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Cron;
import dev.carillon.time.Every;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Any schedule at any moment, with few enough slots to walk.
 *
 * @param given the schedule
 * @param timing its timing
 * @param start how far it is planned
 * @param now the moment
 * @param horizon how far to plan
 */
record Scene(Given given, Timing timing, Instant start, Instant now, Instant horizon) {
  private static final Duration MAX_LENGTH = Duration.ofHours(3);
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("UTC"),
          ZoneId.of("Europe/Rome"),
          ZoneId.of("America/New_York"),
          ZoneId.of("Australia/Lord_Howe"));
  private static final List<String> EXPRESSIONS =
      List.of(
          "* * * * *", "*/7 * * * *", "30 2 * * *", "*/20 * * * * *", "0 1-3 * * *", "5,6 * * * *");

  static Scene any(Gen any) {
    Instant start = start(any);
    Instant now = start.plus(any.upTo(MAX_LENGTH)).minus(any.upTo(Duration.ofMinutes(10)));
    Instant horizon = now.plusSeconds(1).plus(any.upTo(Duration.ofMinutes(30)));
    Timing timing = timing(start, any);
    Given given =
        Given.timing(timing)
            .plannedThrough(start)
            .window(window(start, any))
            .jitter(jitter(any))
            .catchUp(catchUp(any))
            .settled(settled(timing, start, horizon, any));
    if (any.percent(20)) {
      given.maxRuns(any.number(1, 40)).plannedRuns(any.number(0, 20));
    }
    return new Scene(given, timing, start, now, horizon);
  }

  Plan plan() {
    return given.plan(now, horizon);
  }

  Window window() {
    return given.definition().window();
  }

  CatchUp catchUp() {
    return given.definition().catchUp();
  }

  Instant naturalDue(Instant slot) {
    return given.definition().jitter().dueAt(timing, Given.KEY, slot);
  }

  boolean isMissed(Instant slot) {
    return slot.isBefore(now.minus(catchUp().grace()));
  }

  /** Near a change of clocks, half of the time. */
  private static Instant start(Gen any) {
    Instant instant = any.instant();
    var shift = any.oneOf(ZONES).getRules().nextTransition(instant);
    return shift == null || any.percent(50)
        ? instant
        : shift.getInstant().minus(any.upTo(MAX_LENGTH));
  }

  private static Timing timing(Instant start, Gen any) {
    return switch (any.number(0, 9)) {
      case 0 -> new Once(start.plus(any.upTo(MAX_LENGTH)));
      case 1, 2, 3, 4 ->
          new Every(
              Duration.ofSeconds(any.percent(10) ? any.number(1, 9) : any.number(10, 3_600)),
              Instant.ofEpochSecond(any.number(0, 100_000)));
      default -> Cron.parse(any.oneOf(EXPRESSIONS), any.oneOf(ZONES));
    };
  }

  private static Window window(Instant start, Gen any) {
    Instant from = start.minusSeconds(60).plus(any.upTo(MAX_LENGTH));
    Instant until = from.plus(any.upTo(MAX_LENGTH));
    return switch (any.number(0, 9)) {
      case 0 -> Window.from(from);
      case 1 -> Window.until(until);
      case 2 -> new Window(from, until);
      default -> Window.ALWAYS;
    };
  }

  private static Jitter jitter(Gen any) {
    return any.percent(50)
        ? Jitter.NONE
        : new Jitter(any.upTo(Duration.ofHours(2)), any.oneOf(Jitter.Mode.values()));
  }

  private static CatchUp catchUp(Gen any) {
    CatchUp catchUp =
        CatchUp.of(any.oneOf(CatchUp.Mode.values()))
            .limit(any.number(1, 60))
            .grace(any.upTo(any.oneOf(Duration.ZERO, Duration.ofSeconds(20), Duration.ofHours(1))));
    return any.percent(50) ? catchUp : catchUp.maxAge(any.upTo(MAX_LENGTH).plusSeconds(1));
  }

  private static SortedSet<Instant> settled(
      Timing timing, Instant start, Instant horizon, Gen any) {
    var settled = new TreeSet<Instant>();
    if (any.percent(50)) {
      timing.between(start, horizon.plusSeconds(600)).stream()
          .filter(slot -> any.percent(10))
          .forEach(settled::add);
    }
    if (any.percent(20)) { // left by a timing the schedule had before
      settled.add(start.plusSeconds(1).plus(any.upTo(MAX_LENGTH)));
    }
    return settled;
  }

  @Override
  public String toString() {
    return given + ", now " + now + ", horizon " + horizon;
  }
}
