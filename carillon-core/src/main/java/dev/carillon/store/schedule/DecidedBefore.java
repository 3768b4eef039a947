package dev.carillon.store.schedule;

import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.plan.DecidedSlots;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.DecisionStore.Line;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stretches of slots of which the first was decided about before, as slots to come may be that were
 * missed before an edit. The others are still to be written down.
 */
final class DecidedBefore {
  private final Transaction tx;

  DecidedBefore(Transaction tx) {
    this.tx = tx;
  }

  /** Return {@code lines} without their first slots. */
  List<Line> rest(List<Line> lines) {
    return lines.stream()
        .filter(line -> line.droppedSlots().slots() > 1)
        .flatMap(line -> rest(line).stream())
        .toList();
  }

  private Optional<Line> rest(Line line) {
    DroppedSlots dropped = line.droppedSlots();
    return definition(line)
        .map(known -> DecidedSlots.of(new Decision(dropped, line.version(), Instant.EPOCH), known))
        .flatMap(slots -> slots.after(dropped.first()))
        .map(
            second ->
                new Line(
                    line.schedule(),
                    line.version(),
                    new DroppedSlots(
                        second,
                        dropped.last(),
                        dropped.slots() - 1,
                        dropped.reason(),
                        dropped.by(),
                        dropped.mergedInto())));
  }

  private Optional<Definition> definition(Line line) {
    return tx.first(
        "find what named slots",
        """
        select schedule.key, version.target, version.payload, version.definition, version.tags
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id
         where schedule.id = :schedule
           and version.version = :version
        """,
        bind -> bind.set("schedule", line.schedule()).set("version", line.version()),
        DefinitionColumns::read);
  }
}
