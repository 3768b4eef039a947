package dev.carillon.time;

import java.util.Optional;

/** Warns of steps that probably do not do what was intended. */
final class StepLint {
  private StepLint() {}

  /** Check {@code term}, which matches every {@code step}-th value in a range of a field. */
  static Optional<Warning> of(CronField cronField, String term, int from, int to, int step) {
    if (step > to - from) {
      return Optional.of(
          new Warning("STEP_TOO_WIDE", term + " matches only " + from + ": no second step fits"));
    }
    int latest = from + (to - from) / step * step;
    int lastInterval = cronField.cycle - latest + from;
    boolean coversField = from < cronField.min + step && to >= cronField.starMax();
    if (!coversField || cronField.cycle == 0 || lastInterval == step) {
      return Optional.empty();
    }
    return Optional.of(
        new Warning(
            "UNEVEN_STEP",
            "%s starts anew each %s: after %s comes %s, %s later and not %s; for an even beat use @every"
                .formatted(term, cronField.largerUnit, latest, from, lastInterval, step)));
  }
}
