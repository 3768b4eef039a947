package dev.carillon.benchmarks;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What was promised about one figure, and what was measured. Reports write it as a line, and the
 * summary reads that line.
 *
 * @param figure what is measured, such as {@code bytes of WAL per run}
 * @param promised the limit, such as {@code at most 1,500}
 * @param measured what was found, such as {@code 898}
 * @param note the figures behind it, such as those of the peers; may be empty
 * @param met whether what was found is within the limit
 */
public record Promise(String figure, String promised, String measured, String note, boolean met) {
  private static final Pattern LINE =
      Pattern.compile(
          "^- (.+): promised (.+), measured (.+?)(?: \\((.+)\\))?: (met|MISSED)$",
          Pattern.MULTILINE);

  public Promise(String figure, String promised, String measured, boolean met) {
    this(figure, promised, measured, "", met);
  }

  /** Find the promises in {@code text}. */
  public static Stream<Promise> in(String text) {
    return LINE.matcher(text)
        .results()
        .map(
            line ->
                new Promise(
                    line.group(1),
                    line.group(2),
                    line.group(3),
                    line.group(4) == null ? "" : line.group(4),
                    line.group(5).equals("met")));
  }

  /** Write it as an item of a list. */
  public String line() {
    return "- %s: promised %s, measured %s%s: %s"
        .formatted(figure, promised, measured, note.isEmpty() ? "" : " (" + note + ")", verdict());
  }

  String verdict() {
    return met ? "met" : "MISSED";
  }
}
