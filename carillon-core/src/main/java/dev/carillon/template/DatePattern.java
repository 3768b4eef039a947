package dev.carillon.template;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * How a date is written, in the letters of {@link DateTimeFormatter}. Names are English on every
 * machine, and weeks are those of ISO 8601.
 */
final class DatePattern {
  /** The most characters of a pattern. */
  static final int MAX_LENGTH = 60;

  private static final String LETTERS = "yuMLdDEQHhmsSnaXxZzVYw";

  private final String text;
  private final DateTimeFormatter formatter;

  private DatePattern(String text, DateTimeFormatter formatter) {
    this.text = text;
    this.formatter = formatter;
  }

  /**
   * Parse a pattern.
   *
   * @param position of its first character in the template, from one
   */
  static DatePattern parse(String text, int position) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw new TemplateSyntaxException(
          position,
          "a pattern has 1 to %s characters, such as yyyy-MM-dd; this one has %s"
              .formatted(MAX_LENGTH, text.length()));
    }
    if (text.indexOf('Y') >= 0 && text.indexOf('w') < 0) {
      throw new TemplateSyntaxException(
          position + text.indexOf('Y'),
          "Y is the year that a week belongs to, and goes with w; write yyyy for the year of the date");
    }
    var builder = new DateTimeFormatterBuilder();
    int at = 0;
    while (at < text.length()) {
      int end = partEnd(text, at, position);
      append(builder, text.substring(at, end), position + at);
      at = end;
    }
    return new DatePattern(text, builder.toFormatter(Locale.ENGLISH));
  }

  /* The end of a run of one letter, of a quoted text, or of one other character. */
  private static int partEnd(String text, int start, int position) {
    char first = text.charAt(start);
    int end = start + 1;
    if (first == '\'') {
      end = text.indexOf('\'', end);
      if (end < 0) {
        throw new TemplateSyntaxException(position + start, "the quote is not closed; add a '");
      }
      return end + 1;
    }
    if (isLetter(first)) {
      while (end < text.length() && text.charAt(end) == first) {
        end++;
      }
    }
    return end;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static void append(DateTimeFormatterBuilder builder, String part, int position) {
    char first = part.charAt(0);
    if (first == '\'') {
      builder.appendLiteral(part.length() == 2 ? "'" : part.substring(1, part.length() - 1));
    } else if (!isLetter(first)) {
      builder.appendLiteral(first);
    } else if (first == 'w' && part.length() <= 2) {
      builder.appendValue(IsoFields.WEEK_OF_WEEK_BASED_YEAR, part.length());
    } else if (first == 'Y' && part.length() == 4) {
      builder.appendValue(IsoFields.WEEK_BASED_YEAR, 4, 10, SignStyle.EXCEEDS_PAD);
    } else {
      appendLetters(builder, part, position);
    }
  }

  private static void appendLetters(DateTimeFormatterBuilder builder, String part, int position) {
    if (LETTERS.indexOf(part.charAt(0)) < 0) {
      throw new TemplateSyntaxException(
          position,
          "'%s' is no letter of a pattern; write yyyy-MM-dd'T'HH:mm:ss, with other text in single quotes"
              .formatted(part.charAt(0)));
    }
    try {
      if (part.charAt(0) != 'w' && part.charAt(0) != 'Y') {
        builder.appendPattern(part);
        return;
      }
    } catch (IllegalArgumentException tooMany) {
      // refused below
    }
    throw new TemplateSyntaxException(
        position,
        "a pattern has no '%s'; the letter is repeated too often, or not often enough, such as in yyyy-MM-dd"
            .formatted(part));
  }

  String format(ZonedDateTime date) {
    return formatter.format(date);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DatePattern pattern && text.equals(pattern.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
