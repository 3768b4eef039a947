package dev.carillon;

import dev.carillon.store.jdbc.Transaction;
import java.util.Optional;

/**
 * Keeps how far a change of many has come, written in the transaction of each batch, so that it can
 * go on where it stopped. Each method throws if somebody else has gone on meanwhile, and may be
 * called again if the transaction is repeated.
 */
public interface BatchLog {
  /**
   * How far a change has come.
   *
   * @param last the id of the last one that was looked at
   * @param changed how many were changed so far
   */
  record Mark(String last, long changed) {}

  /** Before a batch is changed. */
  void begin(Transaction tx, Optional<Mark> before);

  /** After a batch was changed, before its commit. */
  void advance(Transaction tx, Optional<Mark> before, Mark after);

  /** After the last batch, before the last commit. */
  void finish(Transaction tx, Optional<Mark> before, long changed);
}
