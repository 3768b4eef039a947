package dev.carillon.store.backup;

/** Receives the progress of a backup or restore. */
@FunctionalInterface
public interface CopyProgress {
  /**
   * Take note of rows that were copied.
   *
   * @param table the table they belong to
   * @param rows how many of all tables were copied so far
   * @param expected how many there will be, as far as is known
   */
  void copied(String table, long rows, long expected);
}
