package dev.carillon.store.backup;

/** Receives the progress of a backup or restore. */
@FunctionalInterface
public interface CopyProgress {
  /**
   * Take note of rows that were copied.
   *
   * @param table the table they belong to
   * @param rows how many of all tables were copied so far
   * @param expected an estimate of all rows
   */
  void copied(String table, long rows, long expected);
}
