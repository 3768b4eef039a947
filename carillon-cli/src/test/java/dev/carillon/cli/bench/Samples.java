package dev.carillon.cli.bench;

import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Figures made up for tests. */
final class Samples {
  static final Ground QUICK_GROUND = ground(0.1, 1.5);

  private Samples() {}

  static Ground ground(double roundTrip, double commit) {
    return new Ground("18.4 (Debian)", "at db.example:5432", roundTrip, commit, List.of());
  }

  static Drain.Outcome drain(double perSecond) {
    return new Drain.Outcome(100_000, 0, 0, perSecond, 85, 0.0042, OptionalDouble.of(912.3), 0);
  }

  static Drift.Outcome drift(double p99) {
    return new Drift.Outcome(1_000, 20, 20_000, 20_000, 0, 0, 0, 3.14, p99, 2 * p99, p99, 0);
  }

  static Growth.Outcome growth(double without, double beside, double p99Beside) {
    return new Growth.Outcome(
        1_000_000,
        40,
        new Growth.Half(List.of(drain(without)), drift(10)),
        new Growth.Half(List.of(drain(beside)), drift(p99Beside)));
  }

  static Report report(Drain.Outcome drain, Drift.Outcome drift, Growth.Outcome growth) {
    return new Report(QUICK_GROUND, Optional.of(drain), Optional.of(drift), Optional.of(growth));
  }
}
