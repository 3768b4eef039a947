package dev.carillon.cli;

import java.util.Collection;
import java.util.Optional;

/** Finds what a mistyped word of the command line was meant to be. */
public final class Nearest {
  private Nearest() {}

  /** Return the word of {@code known} that is nearest to {@code typed}, if one is near at all. */
  public static Optional<String> to(String typed, Collection<String> known) {
    int near = Math.max(1, typed.replace("-", "").length() / 2);
    return dev.carillon.time.ClosestMatch.to(typed, known, near);
  }
}
