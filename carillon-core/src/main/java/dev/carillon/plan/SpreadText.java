package dev.carillon.plan;

/** Says in words what spreading fires would do. */
final class SpreadText {
  private SpreadText() {}

  static String of(
      long peak, long fixedMinute, long withHash, long withoutJitter, long withJitter) {
    if (peak == 0) {
      return "Nothing fires in this period.";
    }
    if (peak == 1) {
      return "No minute has more than one fire: there is nothing to spread.";
    }
    String now = "The worst minute has %s fires.".formatted(peak);
    var text = new StringBuilder(now);
    if (helps(peak, withHash)) {
      text.append(
          " With H instead of the fixed minute in the cron expression of %s, the worst minute would have about %s."
              .formatted(schedules(fixedMinute), withHash));
    }
    if (helps(peak, withJitter)) {
      text.append(
          " With a jitter of %s for %s, it would have about %s."
              .formatted(SpreadEstimate.JITTER, schedules(withoutJitter), withJitter));
    }
    return text.length() > now.length()
        ? text.toString()
        : text.append(" Neither H nor jitter would make it much better.").toString();
  }

  /* A tenth less is worth a change. */
  private static boolean helps(long peak, long spread) {
    return spread <= peak - Math.max(1, peak / 10);
  }

  private static String schedules(long count) {
    return count == 1 ? "one schedule" : count + " schedules";
  }
}
