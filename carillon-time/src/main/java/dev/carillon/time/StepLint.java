package dev.carillon.time;

import java.util.Optional;

/** Finds steps that do not do what they seem to. */
final class StepLint {
  private StepLint() {}

  /** Look at {@code term}, which stands for every {@code step}-th value in a range of a field. */
  static Optional<Warning> of(Field field, String term, int from, int to, int step) {
    if (step > to - from) {
      return Optional.of(
          new Warning("STEP_TOO_WIDE", term + " matches only " + from + ": no second step fits"));
    }
    int latest = from + (to - from) / step * step;
    int back = field.cycle - latest + from;
    boolean whole = from < field.min + step && to >= field.starMax();
    if (!whole || field.cycle == 0 || back == step) {
      return Optional.empty();
    }
    return Optional.of(
        new Warning(
            "UNEVEN_STEP",
            "%s starts anew each %s: after %s comes %s, %s later and not %s; for an even beat use @every"
                .formatted(term, field.whole, latest, from, back, step)));
  }
}
