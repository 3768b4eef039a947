package dev.carillon;

import dev.carillon.BatchLog.Mark;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * Changes many things, a batch per transaction: as many as there are could hold locks for minutes.
 *
 * @param <T> the id of one of them, whose text tells how far a change has come
 */
record Batches<T>(Database database, List<T> ids, Optional<BatchLog> log, Optional<Mark> start) {
  private static final int BATCH = 500;

  /** Change all and return how many were changed, with those of before. */
  long change(BiFunction<Transaction, List<T>, Integer> change) {
    Optional<Mark> mark = changed(change);
    if (log.isPresent()) {
      database.inTransaction(tx -> finished(tx, mark, (any, changed) -> {}));
    }
    return count(mark);
  }

  /**
   * Change all and return how many were changed, with those of before.
   *
   * @param change changes a batch and returns how many of it were changed
   * @param last comes in the last transaction, with the number of all
   */
  long change(
      BiFunction<Transaction, List<T>, Integer> change, BiConsumer<Transaction, Long> last) {
    Optional<Mark> mark = changed(change);
    database.inTransaction(tx -> finished(tx, mark, last));
    return count(mark);
  }

  private Optional<Mark> changed(BiFunction<Transaction, List<T>, Integer> change) {
    Optional<Mark> mark = start;
    for (int from = 0; from < ids.size(); from += BATCH) {
      List<T> some = ids.subList(from, Math.min(ids.size(), from + BATCH));
      Optional<Mark> before = mark;
      mark = Optional.of(database.inTransaction(tx -> changed(tx, before, some, change)));
    }
    return mark;
  }

  private boolean finished(
      Transaction tx, Optional<Mark> before, BiConsumer<Transaction, Long> last) {
    log.ifPresent(kept -> kept.begin(tx, before));
    last.accept(tx, count(before));
    log.ifPresent(kept -> kept.finish(tx, before, count(before)));
    return true;
  }

  private static long count(Optional<Mark> mark) {
    return mark.map(Mark::changed).orElse(0L);
  }

  private Mark changed(
      Transaction tx,
      Optional<Mark> before,
      List<T> some,
      BiFunction<Transaction, List<T>, Integer> change) {
    log.ifPresent(kept -> kept.begin(tx, before));
    long changed = count(before) + change.apply(tx, some);
    var after = new Mark(String.valueOf(some.get(some.size() - 1)), changed);
    log.ifPresent(kept -> kept.advance(tx, before, after));
    return after;
  }
}
