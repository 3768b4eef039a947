package dev.carillon.cli;

import dev.carillon.time.ClosestMatch;
import java.util.Collection;
import java.util.Optional;

/** Finds what a mistyped word of the command line was meant to be. */
public final class Nearest {
  private Nearest() {}

  /**
   * Return a question for the word of {@code known} that is nearest to {@code typed}, if any is
   * near.
   */
  public static Optional<String> hint(String typed, Collection<String> known) {
    int near = Math.max(1, typed.replace("-", "").length() / 2);
    return ClosestMatch.to(typed, known, near).map("; did you mean '%s'?"::formatted);
  }
}
