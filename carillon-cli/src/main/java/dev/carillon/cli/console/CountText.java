package dev.carillon.cli.console;

/** How many, in words: one thing is one thing. */
public final class CountText {
  private CountText() {}

  /** Say how many, as {@code 1 run} or {@code 2 runs}. */
  public static String of(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
