package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;

/**
 * Whether a run may start while an earlier run of its schedule is unfinished, judged when it is
 * due.
 *
 * @param rule what to do
 * @param queueLimit for {@link Rule#QUEUE}, how many runs may wait; zero otherwise
 */
public record Overlap(Rule rule, int queueLimit) {
  /** The most runs that may wait in a queue. */
  public static final int MAX_QUEUE = 10_000;

  private static final int UNLIMITED = Integer.MAX_VALUE;

  /** Run none beside another: a run that is due while another is unfinished is skipped. */
  public static final Overlap SKIP = new Overlap(Rule.SKIP, 0);

  /** Run side by side. */
  public static final Overlap ALLOW = new Overlap(Rule.ALLOW, 0);

  /** Run one after the other, up to a hundred waiting. */
  public static final Overlap QUEUE = new Overlap(Rule.QUEUE, 100);

  /** Run one after the other, at most one waiting. */
  public static final Overlap QUEUE_ONE = new Overlap(Rule.QUEUE_ONE, 0);

  /** Cancel the unfinished run, then start. */
  public static final Overlap CANCEL_PREVIOUS = new Overlap(Rule.CANCEL_PREVIOUS, 0);

  /**
   * Run one after the other, however many wait, and make way for none. Runs that a caller asks for
   * again obey it instead of the rule of their schedule: they are to run, and only when is left
   * open.
   */
  public static final Overlap IN_TURN = new Overlap(Rule.QUEUE, UNLIMITED);

  /** What to do with a run that is due. */
  public enum Answer {
    /** Start it. */
    START,
    /** Keep it until the unfinished run ends. */
    WAIT,
    /** Record it as skipped. */
    SKIP,
    /** Ask the unfinished run to stop, drop what waits, and keep this one until it has stopped. */
    REPLACE
  }

  /** The rules by name. */
  public enum Rule {
    SKIP,
    ALLOW,
    QUEUE,
    QUEUE_ONE,
    CANCEL_PREVIOUS
  }

  public Overlap {
    boolean queues = queueLimit >= 1 && (queueLimit <= MAX_QUEUE || queueLimit == UNLIMITED);
    if (rule == Rule.QUEUE ? !queues : queueLimit != 0) {
      throw new InvalidValueException(
          rule == Rule.QUEUE
              ? "a queue holds from 1 to " + MAX_QUEUE + " runs; was " + queueLimit
              : "only a queue has a cap; " + rule + " was given " + queueLimit);
    }
  }

  /** Run one after the other, up to {@code queueLimit} waiting. */
  public static Overlap queue(int cap) {
    return new Overlap(Rule.QUEUE, cap);
  }

  /** Tell whether runs under this rule go one at a time. */
  public boolean exclusive() {
    return rule != Rule.ALLOW;
  }

  /** Tell whether runs under this rule wait as long as it takes. */
  public boolean inTurn() {
    return queueLimit == UNLIMITED;
  }

  /** Judge a due run, given whether a run is unfinished and how many wait for it to end. */
  public Answer admit(boolean busy, int waiting) {
    if (!busy || rule == Rule.ALLOW) {
      return Answer.START;
    }
    return switch (rule) {
      case QUEUE -> waiting < queueLimit ? Answer.WAIT : Answer.SKIP;
      case QUEUE_ONE -> waiting == 0 ? Answer.WAIT : Answer.SKIP;
      case CANCEL_PREVIOUS -> Answer.REPLACE;
      default -> Answer.SKIP;
    };
  }
}
