package dev.carillon.time;

/** Creates hints for ranges whose end is before their start. */
final class RangeHints {
  private RangeHints() {}

  /**
   * Return how to write the range from {@code start}, with value {@code from}, to {@code end} as
   * two ranges.
   */
  static String asTwoRanges(CronField cronField, int from, String start, String end) {
    if (cronField == CronField.YEAR) {
      return "Put the earlier year first.";
    }
    boolean named = Character.isLetter(start.charAt(0));
    String first = named ? cronField.names.get(0) : "" + cronField.min;
    String last =
        named ? cronField.names.get(cronField.names.size() - 1) : "" + cronField.starMax();
    String tail = end.equalsIgnoreCase(first) ? end : first + "-" + end;
    if (from > cronField.starMax()) {
      return "Write " + tail + ".";
    }
    return "Write " + (from == cronField.starMax() ? start : start + "-" + last) + "," + tail + ".";
  }

  /** Return how to fix a range that two ranges cannot replace. */
  static String reordered(CronField cronField, boolean hashed) {
    return hashed
        ? "Put the smaller value first, as in H(%s-%s)."
            .formatted(cronField.min, cronField.hashMax())
        : "Write two ranges, each with its own step.";
  }
}
