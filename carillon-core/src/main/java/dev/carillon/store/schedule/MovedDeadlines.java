package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
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
    List<Deadline> deadlines =
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
    if (deadlines.isEmpty()) {
      return;
    }
    tx.update(
        "move deadlines",
        """
        update carillon.deadline
           set at = moved.at
          from unnest(:ids, :slots, :times) as moved (id, slot, at)
         where deadline.schedule_id = moved.id
           and deadline.slot = moved.slot
           and deadline.ordinal = 0
        """,
        bind ->
            bind.array("ids", "bigint", deadlines, Deadline::schedule)
                .array("slots", "timestamptz", deadlines, Deadline::slot)
                .array("times", "timestamptz", deadlines, Deadline::at));
  }

  /* What an earlier or later version of the software has stored may be unreadable; it stays. */
  private Optional<Deadline> deadline(Row row) {
    long id = row.number("id");
    Instant slot = row.instant("slot");
    Instant dueAt = row.instant("due_at");
    try {
      Definition definition = DefinitionColumns.read(row);
      Instant meant = book.ruleOrNone(definition).due(slot) instanceof Due.At at ? at.at() : slot;
      return definition
          .deadline()
          .map(
              deadline ->
                  deadline.of(
                      meant, dueAt, definition.zone(), deadline.calendar().flatMap(book::calendar)))
          .map(at -> new Deadline(id, slot, at));
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      return Optional.empty();
    }
  }

  private record Deadline(long schedule, Instant slot, Instant at) {}
}
