package dev.carillon.benchmarks.table;

/** Prints the steps of a suite, numbered, with the outcome of each. */
final class SuiteProgress {
  private final String suite;
  private final int steps;
  private int done;

  SuiteProgress(String suite, int steps) {
    this.suite = suite;
    this.steps = steps;
  }

  /** Print what the next step is. */
  void begin(String what) {
    done++;
    System.err.printf("%s %d/%d  %s … ", suite, done, steps, what);
  }

  /** Print the outcome of the step. */
  void end(String found) {
    System.err.println(found);
  }
}
