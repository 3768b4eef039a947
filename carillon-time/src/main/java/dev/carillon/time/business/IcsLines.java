package dev.carillon.time.business;

import java.util.Optional;

/** The unfolded lines of an iCalendar text, one after another. */
final class IcsLines {
  private static final int MAX_LINE = 65_536;

  private final String text;
  private int at;
  private int number;

  IcsLines(String text) {
    this.text = text;
  }

  /** Return the next property; empty at the end. */
  Optional<IcsLine> next() {
    while (at < text.length()) {
      int first = number + 1;
      var line = new StringBuilder(raw());
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
        at++;
        line.append(raw());
        if (line.length() > MAX_LINE) {
          throw IcsLine.refuse(first, "has more than %s characters".formatted(MAX_LINE));
        }
      }
      if (!line.toString().isBlank()) {
        return Optional.of(IcsLine.parse(first, line.toString()));
      }
    }
    return Optional.empty();
  }

  int number() {
    return number;
  }

  private String raw() {
    int end = text.indexOf('\n', at);
    String line = end < 0 ? text.substring(at) : text.substring(at, end);
    at = end < 0 ? text.length() : end + 1;
    number++;
    if (line.length() > MAX_LINE) {
      throw IcsLine.refuse(number, "has more than %s characters".formatted(MAX_LINE));
    }
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }
}
