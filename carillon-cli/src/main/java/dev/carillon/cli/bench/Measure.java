package dev.carillon.cli.bench;

import java.util.Locale;

/** One of the questions that a bench answers. */
public enum Measure {
  /** How fast it gets through runs that are due. */
  DRAIN,
  /** How late runs start when many are due at the same moment. */
  DRIFT,
  /** What idle schedules cost the others. */
  GROWTH;

  /** Return the name on the command line and in reports. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
