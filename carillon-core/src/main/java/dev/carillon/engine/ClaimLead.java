package dev.carillon.engine;

import java.time.Duration;
import java.time.Instant;

/**
 * How long before they are due this node claims runs: about as long as claiming all that is due at
 * the same moment took the last time, so that they start when they are due and not a claim later.
 */
final class ClaimLead {
  private static final int SHARE_AT_LEAST = 20;

  private final Duration least;
  private final Duration most;
  private Duration lead;
  private Instant since = Instant.MAX;

  /** Claim runs at most {@code most} before they are due, and a twentieth of it at least. */
  ClaimLead(Duration most) {
    this.least = most.dividedBy(SHARE_AT_LEAST);
    this.most = most;
    this.lead = least;
  }

  /** Return until when runs are claimed at {@code now}. */
  Instant until(Instant now) {
    return now.plus(lead);
  }

  /** Return when runs that are due at {@code due} are to be claimed. */
  Instant before(Instant due) {
    return due.minus(lead);
  }

  /**
   * Record a turn that claimed from {@code began} to {@code ended}, and whether more is to be
   * claimed at once.
   */
  void claimed(Instant began, Instant ended, boolean more) {
    since = began.isBefore(since) ? began : since;
    if (!more) {
      Duration wanted = Duration.between(since, ended).multipliedBy(3).dividedBy(2);
      Duration slowly = lead.multipliedBy(99).dividedBy(100);
      lead = longer(least, Step.shorter(most, longer(wanted, slowly)));
      since = Instant.MAX;
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
