package dev.carillon.cli.bench;

import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import java.util.Optional;

/**
 * What a figure means.
 *
 * @param measure what was measured
 * @param grade how well it did
 * @param reason the figure, and where good begins
 * @param advice what to do; empty if all is well
 */
record BenchVerdict(Measure measure, Grade grade, String reason, Optional<String> advice) {
  private static final double DRAIN_GOOD = 10_000;
  private static final double DRAIN_FAIR = 2_000;
  private static final double DRIFT_GOOD = 20;
  private static final double DRIFT_FAIR = 100;
  private static final double GROWTH_GOOD = 0.9;
  private static final double GROWTH_FAIR = 0.7;
  private static final double LONG_ROUND_TRIP = 2;
  private static final double LONG_COMMIT = 5;

  static BenchVerdict of(Drain.Outcome drain, Ground ground) {
    return verdict(
        Measure.DRAIN,
        Grade.atLeast(drain.perSecond(), DRAIN_GOOD, DRAIN_FAIR),
        "%s; good from %s"
            .formatted(Figures.perSecond(drain.perSecond(), "runs"), Figures.whole(DRAIN_GOOD)),
        limit(ground));
  }

  static BenchVerdict of(Drift.Outcome drift, Ground ground) {
    String skips =
        drift.skipped() == 0
            ? ""
            : ", and %s were skipped because the one before was not over"
                .formatted(Figures.whole(drift.skipped()));
    return verdict(
        Measure.DRIFT,
        drift.skipped() > 0 ? Grade.POOR : grade(drift),
        "p99 %s at %s fires/s%s; good up to %s"
            .formatted(
                Figures.millis(drift.p99()),
                Figures.whole(drift.schedules()),
                skips,
                Figures.millis(DRIFT_GOOD)),
        limit(ground));
  }

  static BenchVerdict of(Growth.Outcome growth) {
    Grade drain = Grade.atLeast(growth.kept(), GROWTH_GOOD, GROWTH_FAIR);
    Grade drift = grade(growth.beside().drift());
    boolean drifted = drift.compareTo(grade(growth.without().drift())) > 0;
    return verdict(
        Measure.GROWTH,
        drifted ? drain.orWorse(drift) : drain,
        "%s beside %s idle schedules%s; good from %s"
            .formatted(
                growth.kept() >= 1
                    ? "no speed is lost"
                    : Figures.percent(growth.kept()) + " of the speed is left",
                Figures.whole(growth.idle()),
                drifted
                    ? ", but p99 went from %s to %s"
                        .formatted(
                            Figures.millis(growth.without().drift().p99()),
                            Figures.millis(growth.beside().drift().p99()))
                    : "",
                Figures.percent(GROWTH_GOOD)),
        "idle schedules should cost next to nothing: measure again on a quiet machine; if it stays,"
            + " give the server more shared_buffers");
  }

  private static Grade grade(Drift.Outcome drift) {
    return Grade.atMost(drift.p99(), DRIFT_GOOD, DRIFT_FAIR);
  }

  private static BenchVerdict verdict(Measure measure, Grade grade, String reason, String advice) {
    return new BenchVerdict(
        measure, grade, reason, grade == Grade.GOOD ? Optional.empty() : Optional.of(advice));
  }

  private static String limit(Ground ground) {
    if (ground.roundTrip() >= LONG_ROUND_TRIP) {
      return "the round trip to the server takes %s: run Carillon nearer to it"
          .formatted(Figures.millis(ground.roundTrip()));
    }
    if (ground.commit() >= LONG_COMMIT) {
      return "a commit takes %s: the server's disk is slow to keep what it is given; use a faster one, or a controller with a protected cache"
          .formatted(Figures.millis(ground.commit()));
    }
    return "round trips and commits are quick, so processors are the limit: see what else keeps this machine and the server busy";
  }
}
