package dev.carillon.plan.explain;

import dev.carillon.json.PrintableText;
import java.util.Optional;

/** Puts what others wrote into sentences. */
final class Sentence {
  private static final int MAX_QUOTED = 300;

  private Sentence() {}

  /** Return {@code text} in one line, shortened if it is long. */
  static String quoted(String text) {
    String line = PrintableText.line(text.strip());
    return line.length() <= MAX_QUOTED ? line : line.substring(0, MAX_QUOTED - 1) + "…";
  }

  /** End {@code text} like a sentence. */
  static String ended(String text) {
    return text.endsWith(".") || text.endsWith("!") || text.endsWith("?") || text.endsWith("…")
        ? text
        : text + ".";
  }

  /** End {@code text} with what somebody gave as the reason, if they gave one. */
  static String because(String text, Optional<String> reason) {
    return ended(text + reason.map(given -> ": " + quoted(given)).orElse(""));
  }
}
