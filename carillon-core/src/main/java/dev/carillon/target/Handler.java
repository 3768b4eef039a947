package dev.carillon.target;

/** Code that does a run's work: returning is success, throwing is failure. */
@FunctionalInterface
public interface Handler {
  /** Do the work; called at least once per run, so use {@link RunContext#idempotencyKey}. */
  void run(RunContext context) throws Exception;
}
