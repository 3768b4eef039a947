package dev.carillon.store.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement whose {@code :named} parameters have been turned into the driver's question marks.
 *
 * <p>Names inside literals, quoted identifiers, comments and dollar quotes are left alone, as are
 * {@code ::} casts; a question mark that is an operator (jsonb's {@code ?}) is escaped.
 *
 * @param text the statement as the driver wants it
 * @param names the parameters in the order of their question marks, repeated where they repeat
 */
record Sql(String text, List<String> names) {
  Sql {
    names = List.copyOf(names);
  }

  static Sql parse(String source) {
    return new Reader(source).read();
  }

  private static final class Reader {
    private final String source;
    private final StringBuilder text = new StringBuilder();
    private final List<String> names = new ArrayList<>();
    private int at;

    Reader(String source) {
      this.source = source;
    }

    Sql read() {
      while (at < source.length()) {
        char c = source.charAt(at);
        if (c == '\'' || c == '"') {
          copyThrough(String.valueOf(c), at + 1);
        } else if (source.startsWith("--", at)) {
          copyThrough("\n", at);
        } else if (source.startsWith("/*", at)) {
          copyThrough("*/", at + 2);
        } else if (c == '$' && dollarQuote().length() > 1) {
          String quote = dollarQuote();
          copyThrough(quote, at + quote.length());
        } else if (source.startsWith("::", at)) {
          copyUntil(at + 2);
        } else if (c == ':' && startsName(at + 1)) {
          name();
        } else if (c == '?') {
          text.append("??");
          at++;
        } else {
          copyUntil(at + 1);
        }
      }
      return new Sql(text.toString(), names);
    }

    private void name() {
      int end = at + 1;
      while (end < source.length() && Character.isJavaIdentifierPart(source.charAt(end))) {
        end++;
      }
      names.add(source.substring(at + 1, end));
      text.append('?');
      at = end;
    }

    private boolean startsName(int index) {
      return index < source.length() && Character.isLetter(source.charAt(index));
    }

    /** Return {@code $tag$} where one begins here, or something shorter than two characters. */
    private String dollarQuote() {
      int end = at + 1;
      while (end < source.length() && Character.isLetterOrDigit(source.charAt(end))) {
        end++;
      }
      return end < source.length() && source.charAt(end) == '$'
          ? source.substring(at, end + 1)
          : "";
    }

    private void copyThrough(String delimiter, int from) {
      int end = source.indexOf(delimiter, from);
      copyUntil(end < 0 ? source.length() : end + delimiter.length());
    }

    private void copyUntil(int end) {
      text.append(source, at, end);
      at = end;
    }
  }
}
