package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.DeadlineStore;
import dev.carillon.store.run.RunDeadline;
import dev.carillon.store.schedule.WaitingRuns.Moved;
import dev.carillon.time.Due;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Moves the deadlines of runs that wait and got another due time, each as its version says. */
final class MovedDeadlines {
  private final Transaction tx;
  private final RuleBook book;

  MovedDeadlines(Transaction tx, RuleBook book) {
    this.tx = tx;
    this.book = book;
  }

  /** Let the deadlines that are not judged yet count from the new due times. */
  void follow(List<Moved> moved) {
    List<RunDeadline> deadlines =
        tx
            .query(
                "find deadlines of moved runs",
                """
                select moved.id, moved.slot, moved.due_at, deadline.version, schedule.key, version.target,
                       null as payload, version.definition, version.tags
                  from unnest(:ids, :slots, :dues) as moved (id, slot, due_at)
                  join carillon.deadline
                    on deadline.schedule_id = moved.id and deadline.slot = moved.slot and deadline.ordinal = 0
                  join carillon.schedule
                    on schedule.id = moved.id
                  join carillon.schedule_version as version
                    on version.schedule_id = moved.id and version.version = deadline.version
                """,
                bind ->
                    bind.array("ids", "bigint", moved, Moved::schedule)
                        .array("slots", "timestamptz", moved, Moved::slot)
                        .array("dues", "timestamptz", moved, Moved::dueAt),
                this::deadline)
            .stream()
            .flatMap(Optional::stream)
            .toList();
    DeadlineStore.insert(tx, deadlines);
  }

  /* What an earlier or later version of the software has stored may be unreadable; it stays. */
  private Optional<RunDeadline> deadline(Row row) {
    var run = new RunId(row.number("id"), row.instant("slot"), 0);
    Instant dueAt = row.instant("due_at");
    try {
      Definition definition = DefinitionColumns.read(row);
      Instant meant =
          book.ruleOrNone(definition).due(run.slot()) instanceof Due.At at ? at.at() : run.slot();
      return RunDeadline.of(run, row.integer("version"), definition, meant, dueAt, book::calendar);
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      return Optional.empty();
    }
  }
}
