package dev.carillon.cli.bench;

import java.util.ArrayList;
import java.util.List;

/** Text broken into lines between words. */
final class Wrapped {
  private Wrapped() {}

  /** Break {@code text} so that no line is longer than {@code width}, unless a word is. */
  static List<String> at(int width, String text) {
    var lines = new ArrayList<String>();
    var rest = text.strip();
    while (rest.length() > width) {
      int blank = rest.lastIndexOf(' ', width);
      int end = blank > 0 ? blank : rest.indexOf(' ');
      if (end < 0) {
        break;
      }
      lines.add(rest.substring(0, end));
      rest = rest.substring(end).strip();
    }
    lines.add(rest);
    return lines;
  }
}
