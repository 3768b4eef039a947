package dev.carillon.store.jdbc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognizes SQL whose first statement ends a transaction. */
final class TransactionControl {
  private static final Pattern ENDING =
      Pattern.compile(
          """
          (?xi) ^ (?: \\s | ; | --.*\\R | /\\* (?s:.*?) \\*/ )*+
          ( commit | end | abort
          | rollback (?! (?: \\s+ (?: work | transaction ) )? \\s+ to \\b )
          | prepare \\s+ transaction
          ) \\b
          """);

  private TransactionControl() {}

  /** Return the words by which {@code sql} ends the transaction; empty if it does not. */
  static Optional<String> ending(String sql) {
    Matcher words = ENDING.matcher(sql);
    return words.find() ? Optional.of(words.group(1)) : Optional.empty();
  }
}
