package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Cron;
import dev.carillon.time.DueRule;
import dev.carillon.time.Every;
import dev.carillon.time.Jitter;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A schedule to be planned; what a test does not mention is at its default. */
final class Given {
  static final String KEY = "report";

  private final Timing timing;
  private Pacing pacing = Pacing.SLOT;
  private Window window = Window.ALWAYS;
  private Jitter jitter = Jitter.NONE;
  private CatchUp catchUp = CatchUp.skip();
  private long maxRuns;
  private Instant plannedThrough = Instant.EPOCH;
  private SortedSet<Instant> settled = new TreeSet<>();
  private long plannedRuns;
  private Optional<Instant> pauseFrom = Optional.empty();
  private DueMoves moves = DueMoves.NONE;

  private Given(Timing timing) {
    this.timing = timing;
  }

  static Given timing(Timing timing) {
    return new Given(timing);
  }

  static Given every(Duration period) {
    return new Given(Every.of(period));
  }

  static Given cron(String expression, String zone) {
    return new Given(Cron.parse(expression, ZoneId.of(zone)));
  }

  /** Return instants of one day, given as {@code 10:00} or {@code 10:00:05.5}. */
  static List<Instant> at(String... times) {
    return Stream.of(times).map(Given::at).toList();
  }

  static Instant at(String time) {
    return Instant.parse("2026-03-02T" + time + (time.length() == 5 ? ":00Z" : "Z"));
  }

  /** Return a schedule of its own that is like this one. */
  Given copy() {
    Given copy = new Given(timing);
    copy.pacing = pacing;
    return copy.window(window)
        .jitter(jitter)
        .catchUp(catchUp)
        .maxRuns(maxRuns)
        .plannedThrough(plannedThrough)
        .settled(settled)
        .plannedRuns(plannedRuns)
        .pauseFrom(pauseFrom)
        .moves(moves);
  }

  Given finishPaced() {
    pacing = Pacing.FINISH;
    return this;
  }

  Given window(Window window) {
    this.window = window;
    return this;
  }

  Given jitter(Jitter jitter) {
    this.jitter = jitter;
    return this;
  }

  Given catchUp(CatchUp catchUp) {
    this.catchUp = catchUp;
    return this;
  }

  Given maxRuns(long maxRuns) {
    this.maxRuns = maxRuns;
    return this;
  }

  Given plannedThrough(Instant plannedThrough) {
    this.plannedThrough = plannedThrough;
    return this;
  }

  Given plannedThrough(String time) {
    return plannedThrough(at(time));
  }

  Given settled(SortedSet<Instant> settled) {
    this.settled = settled;
    return this;
  }

  Given settled(String... times) {
    return settled(new TreeSet<>(at(times)));
  }

  Given plannedRuns(long plannedRuns) {
    this.plannedRuns = plannedRuns;
    return this;
  }

  Given pauseFrom(Optional<Instant> pauseFrom) {
    this.pauseFrom = pauseFrom;
    return this;
  }

  Given rule(DueRule rule) {
    return moves(DueMoves.by(rule));
  }

  Given moves(DueMoves moves) {
    this.moves = moves;
    return this;
  }

  Definition definition() {
    var definition = new Definition.Builder("log", timing);
    definition.pacing = pacing;
    definition.window = window;
    definition.jitter = jitter;
    definition.catchUp = catchUp;
    definition.maxRuns = maxRuns;
    return definition.build();
  }

  Standing standing() {
    return new Standing(
        7, KEY, 1, definition(), plannedThrough, settled, plannedRuns, pauseFrom, moves);
  }

  Plan plan(String now, String horizon) {
    return plan(at(now), at(horizon));
  }

  /** Plan with at most {@code most} missed slots in one turn. */
  Plan plan(String now, String horizon, int most) {
    return plan(at(now), at(horizon), most);
  }

  Plan plan(Instant now, Instant horizon, int most) {
    return Planner.plan(standing(), now, horizon, most);
  }

  Plan plan(Instant now, Instant horizon) {
    return Planner.plan(standing(), now, horizon);
  }

  static List<Instant> slots(Plan plan) {
    return plan.runs().stream().map(PlannedRun::slot).toList();
  }

  static List<Instant> dueTimes(Plan plan) {
    return plan.runs().stream().map(PlannedRun::dueAt).toList();
  }

  static List<String> dropped(Plan plan) {
    return plan.dropped().stream()
        .map(
            range ->
                "%s %s..%s %d"
                    .formatted(
                        words(range), time(range.first()), time(range.last()), range.slots()))
        .toList();
  }

  private static String words(DroppedSlots range) {
    return range.reason()
        + range.by().map(by -> " " + by).orElse("")
        + range.mergedInto().map(slot -> " " + time(slot)).orElse("");
  }

  /** Return the time of day of an instant, in UTC and without seconds that are zero. */
  static String time(Instant instant) {
    return instant.toString().substring(11).replace("Z", "").replaceFirst("^(..:..):00$", "$1");
  }

  static List<PlannedRun.Sequel> sequels(Plan plan) {
    return plan.runs().stream().flatMap(run -> run.sequel().stream()).toList();
  }

  @Override
  public String toString() {
    return "%s %s %s, planned through %s, settled %s, %d of %d runs, %s"
        .formatted(
            timing,
            window,
            Arrays.asList(pacing, jitter, catchUp),
            plannedThrough,
            settled,
            plannedRuns,
            maxRuns,
            moves);
  }
}
