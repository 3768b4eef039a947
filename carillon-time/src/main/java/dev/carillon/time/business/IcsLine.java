package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One property of an iCalendar text.
 *
 * @param number the line on which it begins, from 1
 * @param name its name in capitals, such as {@code DTSTART}
 * @param parameters its parameters, names in capitals
 * @param value its value as it is written
 */
record IcsLine(int number, String name, Map<String, String> parameters, String value) {
  private static final int MAX_PARAMETERS = 32;

  /**
   * Parse an unfolded line.
   *
   * @throws InvalidValueException if it is no property
   */
  static IcsLine parse(int number, String text) {
    int colon = endOf(text, 0, ':');
    if (colon < 0) {
      throw refuse(number, "has no colon after the name of a property");
    }
    int end = endOf(text, 0, ';');
    String name = text.substring(0, end < 0 || end > colon ? colon : end);
    if (name.isEmpty() || !name.chars().allMatch(IcsLine::isNameSign)) {
      throw refuse(number, "does not begin with the name of a property");
    }
    var parameters = new HashMap<String, String>();
    int at = name.length();
    while (at < colon) {
      int next = endOf(text, at + 1, ';');
      next = next < 0 || next > colon ? colon : next;
      String parameter = text.substring(at + 1, next);
      int equals = parameter.indexOf('=');
      if (equals < 1 || parameters.size() == MAX_PARAMETERS) {
        throw refuse(number, "has parameters that cannot be read");
      }
      parameters.put(
          parameter.substring(0, equals).toUpperCase(Locale.ROOT),
          withoutQuotes(parameter.substring(equals + 1)));
      at = next;
    }
    return new IcsLine(
        number, name.toUpperCase(Locale.ROOT), parameters, text.substring(colon + 1));
  }

  /* Of the first such sign outside of quotes. */
  private static int endOf(String text, int from, char sign) {
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == sign && !quoted) {
        return i;
      }
    }
    return -1;
  }

  static boolean isNameSign(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  }

  private static String withoutQuotes(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  boolean is(String expectedName, String expectedValue) {
    return name.equals(expectedName) && value.strip().equalsIgnoreCase(expectedValue);
  }

  static InvalidValueException refuse(int line, String problem) {
    return new InvalidValueException("ics", "line %s %s".formatted(line, problem));
  }
}
