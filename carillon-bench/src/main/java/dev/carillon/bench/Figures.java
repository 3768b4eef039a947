package dev.carillon.bench;

import java.util.Locale;

/** Numbers as reports write them, the same in every locale. */
public final class Figures {
  private Figures() {}

  public static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  public static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** Write milliseconds with as many digits as they deserve. */
  public static String millis(double value) {
    String form = value < 1 ? "%.2f ms" : value < 10 ? "%.1f ms" : "%,.0f ms";
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, form, value);
  }

  public static String fine(double value) {
    return String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
  }

  public static String seconds(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f s" : "%,.0f s", value);
  }

  /** Write a share, never rounded up to what it has not reached. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", Math.floor(100 * share));
  }

  public static String perSecond(double value, String things) {
    return whole(value) + " " + things + "/s";
  }
}
