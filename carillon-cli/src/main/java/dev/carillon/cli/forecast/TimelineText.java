package dev.carillon.cli.forecast;

import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.SimulatedRun;
import dev.carillon.model.SimulatedSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows a simulation to people: what becomes of each slot, in the order of time. */
final class TimelineText {
  private TimelineText() {}

  /* A line of the table, and where it belongs. */
  private record Line(Instant at, String key, List<Cell> cells) {}

  static void print(Timeline timeline, Output output) {
    List<Line> lines = new ArrayList<>();
    for (SimulatedSchedule schedule : timeline.schedules()) {
      schedule.runs().forEach(run -> lines.add(line(schedule.key(), run)));
      schedule.dropped().forEach(slots -> lines.add(line(schedule.key(), slots)));
    }
    lines.sort(Comparator.comparing(Line::at).thenComparing(Line::key));
    var table =
        new Table(
            Column.word("SLOT"),
            Column.text("SCHEDULE"),
            Column.word("OUTCOME"),
            Column.word("STARTS"),
            Column.word("ENDS"),
            Column.text("BECAUSE"));
    lines.forEach(line -> table.add(line.cells.toArray(Cell[]::new)));
    if (!lines.isEmpty()) {
      output.table(table);
      output.line("");
    }
    long none =
        timeline.schedules().stream()
            .flatMap(schedule -> schedule.dropped().stream())
            .mapToLong(DroppedSlots::slots)
            .sum();
    output.line(
        "%s of %s from %s to %s; %s no run"
            .formatted(
                CountText.of(timeline.runs(), "run", "runs"),
                CountText.of(timeline.schedules().size(), "schedule", "schedules"),
                timeline.from(),
                timeline.to(),
                CountText.of(none, "slot becomes", "slots become")));
  }

  private static Line line(String key, SimulatedRun run) {
    return new Line(
        run.slot(),
        key,
        List.of(
            Cell.of(run.slot().toString()),
            Cell.of(key),
            Cell.word(Timeline.word(run.outcome())),
            Cell.of(run.startedAt().map(Object::toString).orElse("-")),
            Cell.of(run.startedAt().map(start -> run.finishedAt().toString()).orElse("-")),
            Cell.of(run.reason())));
  }

  private static Line line(String key, DroppedSlots slots) {
    Optional<String> by = slots.mergedInto().map(into -> "into the run of " + into).or(slots::by);
    Optional<String> several =
        Optional.of("%s slots until %s".formatted(slots.slots(), slots.last()))
            .filter(text -> slots.slots() > 1);
    String because =
        Stream.of(by, several).flatMap(Optional::stream).collect(Collectors.joining(", "));
    return new Line(
        slots.first(),
        key,
        List.of(
            Cell.of(slots.first().toString()),
            Cell.of(key),
            Cell.word(Timeline.word(slots.reason())),
            Cell.of("-"),
            Cell.of("-"),
            Cell.of(because.strip())));
  }
}
