package dev.carillon.time;

/** Rewrites ranges that run past the end of their field, for the hint of an error. */
final class Rewrite {
  private Rewrite() {}

  /** Say how to write the range from {@code start} to {@code end} as two. */
  static String wrapped(Field field, String start, String end) {
    if (field == Field.YEAR) {
      return "Put the earlier year first.";
    }
    boolean named = Character.isLetter(start.charAt(0)) && !field.names.isEmpty();
    String first = named ? field.names.get(0) : "" + field.min;
    String last = named ? field.names.get(field.names.size() - 1) : "" + field.starMax();
    String head = start.equalsIgnoreCase(last) ? start : start + "-" + last;
    String tail = end.equalsIgnoreCase(first) ? end : first + "-" + end;
    return start.equals("7") ? "Write " + tail + "." : "Write " + head + "," + tail + ".";
  }
}
