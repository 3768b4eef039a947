package dev.carillon.target;

import java.sql.Connection;

/**
 * Code whose writes commit together with the success of the run, so that its effect is exactly
 * once.
 */
@FunctionalInterface
public interface TransactionalHandler {
  /**
   * Do the work on {@code connection}, without committing: what was written is kept if and only if
   * the run is recorded as succeeded.
   */
  void run(RunContext context, Connection connection) throws Exception;
}
