package dev.carillon.benchmarks;

/** The expressions under measurement, as Unix writes them, and their translations. */
final class Expressions {
  static final String OFTEN = "*/5 * * * *";
  static final String WORKDAYS = "0 9 * * 1-5";
  static final String MONTHLY = "0 0 1 * *";
  static final String LEAP_DAY = "0 0 29 2 *";
  static final String LONG =
      "0,5,10,15,20,25,30,35,40,45,50,55 0-6,8,10,12-18/2,20-23 1-7,10,15,20-25 1-3,5,7,9-12 *";

  private Expressions() {}

  /** Spring wants seconds. */
  static String spring(String unix) {
    return "0 " + unix;
  }

  /** Quartz wants seconds, a question mark in one of the day fields, and weekdays from one. */
  static String quartz(String unix) {
    return switch (unix) {
      case OFTEN -> "0 0/5 * * * ?";
      case WORKDAYS -> "0 0 9 ? * 2-6";
      case MONTHLY -> "0 0 0 1 * ?";
      case LEAP_DAY -> "0 0 0 29 2 ?";
      case LONG -> "0 " + LONG.substring(0, LONG.length() - 1) + "?";
      default -> throw new IllegalArgumentException("no translation for " + unix);
    };
  }

  /** Cut an expression to fit a table. */
  static String shorten(String expression) {
    return expression.length() <= 20 ? expression : expression.substring(0, 17) + "…";
  }
}
