package dev.carillon.time;

/** Says how to write ranges that run past the end of their field. */
final class Rewrite {
  private Rewrite() {}

  /**
   * Say how to write the range from {@code start}, which is {@code from}, to {@code end} as two.
   */
  static String wrapped(Field field, int from, String start, String end) {
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

  /** Say how to mend a range that cannot just be written as two. */
  static String inOrder(Field field, boolean hashed) {
    return hashed
        ? "Put the smaller value first, as in H(%s-%s).".formatted(field.min, field.hashMax())
        : "Write two ranges, each with its own step.";
  }
}
