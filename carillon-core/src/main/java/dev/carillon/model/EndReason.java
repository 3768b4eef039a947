package dev.carillon.model;

/**
 * Why a run was skipped or canceled.
 *
 * @param cause what decided it
 * @param text the same in words, as the history keeps it
 */
public record EndReason(Cause cause, String text) {
  /** The run made way for a later run of its schedule. */
  public static final EndReason REPLACED = new EndReason(Cause.REPLACED, "replaced by a newer run");

  private static final String MISSED = "missed: ";

  /** What decides that a run does not start, or does not go on. */
  public enum Cause {
    /** An earlier run of its schedule was unfinished. */
    OVERLAP,
    /** A later run of its schedule took its place. */
    REPLACED,
    /** No node was alive when it was due, and catch-up left it out. */
    MISSED,
    /** A client canceled it, or its target gave it up. */
    CANCELED
  }

  /**
   * Return the reason of a run that {@code holder} and {@code waiting} others kept from starting.
   */
  public static EndReason overlap(RunId holder, int waiting) {
    String others =
        switch (waiting) {
          case 0 -> "";
          case 1 -> " and 1 waits for it";
          default -> " and " + waiting + " wait for it";
        };
    return new EndReason(Cause.OVERLAP, "run " + holder + " is unfinished" + others);
  }

  /** Return the reason that {@code text}, kept with a run that was asked to stop, stands for. */
  public static EndReason canceled(String text) {
    return text.equals(REPLACED.text) ? REPLACED : new EndReason(Cause.CANCELED, text);
  }

  /** Say whether {@code text}, kept with a run, is the reason of one that was missed. */
  public static boolean isMissed(String text) {
    return text.startsWith(MISSED);
  }

  /** Return the reason of a run that was not started while no node was alive. */
  public static EndReason missed(String why) {
    return new EndReason(Cause.MISSED, MISSED + "no node was alive when it was due, and " + why);
  }

  /** Say whether another run of the schedule decided it. */
  public boolean isOverlap() {
    return cause == Cause.OVERLAP || cause == Cause.REPLACED;
  }
}
