package dev.carillon.event;

import java.util.Locale;

/** The loops of a node: each repeats one step on a thread of its own. */
public enum EngineLoop {
  /** Renews the lease of the node, and asks runs to stop that were canceled. */
  HEARTBEAT,
  /** Recovers the runs of nodes that died. */
  RECOVERY,
  /** Writes down runs for the slots ahead. */
  PLANNING,
  /** Claims due runs of targets that this node calls. */
  CLAIMING,
  /** Hands claimed runs to their targets when they are due. */
  LAUNCHING,
  /** Stops attempts that take longer than their timeout. */
  TIMEOUTS,
  /** Writes down how attempts ended. */
  COMPLETION,
  /** Ends leases of runs that went on elsewhere and were not reported on. */
  EXPIRY,
  /** Escalates runs that are not finished by their deadline. */
  DEADLINES,
  /** Wakes requests of pull workers when runs are due. */
  PULLING,
  /** Makes and drops partitions of the history, on one node. */
  HOUSEKEEPING,
  /** Listens to what other nodes announce. */
  SIGNALS,
  /** Compares the local clock with that of the database. */
  CLOCK,
  /** Watches over the other loops. */
  SUPERVISION;

  private final String word = name().toLowerCase(Locale.ROOT);
  private final String thread = "carillon-" + word;

  /** Return its name in texts and metrics, such as {@code planning}. */
  public String word() {
    return word;
  }

  /** Return the name of its thread, such as {@code carillon-planning}. */
  public String threadName() {
    return thread;
  }
}
