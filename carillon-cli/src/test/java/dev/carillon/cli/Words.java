package dev.carillon.cli;

import java.util.regex.Pattern;

/** Takes a command apart as a shell does, as far as the examples in the documentation need it. */
final class Words {
  private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");

  private Words() {}

  /** Return the words after {@code carillon}. */
  static String[] of(String command) {
    return WORD.matcher(command)
        .results()
        .map(word -> word.group().replaceAll("^[\"']|[\"']$", ""))
        .skip(1)
        .toArray(String[]::new);
  }
}
