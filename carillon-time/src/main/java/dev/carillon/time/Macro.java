package dev.carillon.time;

import java.util.Locale;
import java.util.Map;

/** The macros that stand for whole expressions, such as {@code @daily}. */
final class Macro {
  private static final Map<String, String> EXPRESSIONS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private Macro() {}

  /** Return the expression of the macro {@code name}. */
  static String expand(String name) {
    String expression = EXPRESSIONS.get(name);
    if (expression == null) {
      throw unknown(name);
    }
    return expression;
  }

  private static CronSyntaxException unknown(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("@reboot")) {
      return refuse(
          name,
          "@reboot names no time",
          "Schedules outlive restarts; for work to do now, run it now.");
    }
    if (name.equals("@every") || name.startsWith("@every ")) {
      return refuse(
          name, "@every is an interval, not a cron expression", "Read it with Timing.parse.");
    }
    if (lower.startsWith("@every")) {
      return refuse(
          name, "@every is written in lower case, with a blank after it", "Use @every 90s.");
    }
    if (EXPRESSIONS.containsKey(lower)) {
      return refuse(name, "macros are written in lower case", "Use " + lower + ".");
    }
    return refuse(
        name,
        "there is no macro of this name",
        "Use @yearly, @monthly, @weekly, @daily, @hourly, or @every with a duration.");
  }

  private static CronSyntaxException refuse(String name, String problem, String hint) {
    return new CronSyntaxException(name, 0, name.length(), problem, hint);
  }
}
