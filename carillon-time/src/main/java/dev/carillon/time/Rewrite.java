package dev.carillon.time;

/** Creates hints for ranges whose end is before their start. */
final class Rewrite {
  private Rewrite() {}

  /**
   * Return how to write the range from {@code start}, with value {@code from}, to {@code end} as
   * two ranges.
   */
  static String asTwoRanges(Field field, int from, String start, String end) {
    if (field == Field.YEAR) {
      return "Put the earlier year first.";
    }
    boolean named = Character.isLetter(start.charAt(0));
    String first = named ? field.names.get(0) : "" + field.min;
    String last = named ? field.names.get(field.names.size() - 1) : "" + field.starMax();
    String tail = end.equalsIgnoreCase(first) ? end : first + "-" + end;
    if (from > field.starMax()) {
      return "Write " + tail + ".";
    }
    return "Write " + (from == field.starMax() ? start : start + "-" + last) + "," + tail + ".";
  }

  /** Return how to fix a range that two ranges cannot replace. */
  static String reordered(Field field, boolean hashed) {
    return hashed
        ? "Put the smaller value first, as in H(%s-%s).".formatted(field.min, field.hashMax())
        : "Write two ranges, each with its own step.";
  }
}
