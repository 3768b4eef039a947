package dev.carillon.cli.bench;

import java.util.Locale;

/** How well something does. */
enum Grade {
  GOOD,
  FAIR,
  POOR;

  /** Grade what is the better the more it is. */
  static Grade atLeast(double value, double good, double fair) {
    return value >= good ? GOOD : value >= fair ? FAIR : POOR;
  }

  /** Grade what is the better the less it is. */
  static Grade atMost(double value, double good, double fair) {
    return value <= good ? GOOD : value <= fair ? FAIR : POOR;
  }

  Grade orWorse(Grade other) {
    return compareTo(other) >= 0 ? this : other;
  }

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
