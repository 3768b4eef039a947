package dev.carillon.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The part of a page between two markers, which each measurement replaces.
 *
 * @param begin the marker before it
 * @param end the marker after it
 */
public record Section(String begin, String end) {

  /** Return the section whose markers carry {@code name}. */
  public static Section called(String name) {
    return new Section("<!-- " + name + ":begin -->", "<!-- " + name + ":end -->");
  }

  /** Put {@code text} into this section of {@code page}. */
  public void write(String text, Path page) throws IOException {
    Files.writeString(page, replace(Files.readString(page), text));
  }

  String replace(String page, String text) {
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("the page needs the lines " + begin + " and " + end);
    }
    return page.substring(0, from + begin.length()) + "\n" + text + "\n" + page.substring(to);
  }
}
