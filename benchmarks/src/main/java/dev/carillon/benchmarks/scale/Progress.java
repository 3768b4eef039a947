package dev.carillon.benchmarks.scale;

/** Tells whoever waits how far a suite is. */
final class Progress {
  private final String suite;
  private final int steps;
  private int done;

  Progress(String suite, int steps) {
    this.suite = suite;
    this.steps = steps;
  }

  /** Tell what the next step is. */
  void begin(String what) {
    done++;
    System.err.printf("%s %d/%d  %s … ", suite, done, steps, what);
  }

  /** Tell what came out of it. */
  void end(String found) {
    System.err.println(found);
  }
}
