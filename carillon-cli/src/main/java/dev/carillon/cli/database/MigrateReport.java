package dev.carillon.cli.database;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.store.schema.MigrationResult;
import dev.carillon.store.schema.MigrationStep;
import dev.carillon.store.schema.MissingMigrations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What {@code carillon migrate} did or would do: as lines for people, as values for programs. */
record MigrateReport(ObjectNode values, List<String> lines) {
  static MigrateReport of(MigrationResult result, String database) {
    ObjectNode values = values(database, false, result.from(), result.to());
    values.put("took", result.took().toString());
    ArrayNode applied = values.putArray("applied");
    var lines = new ArrayList<>(result.notes());
    for (MigrationStep step : result.steps()) {
      applied
          .addObject()
          .put("number", step.number())
          .put("name", step.name())
          .put("took", step.took().toString());
      lines.add("applied %s in %s ms".formatted(step.name(), step.took().toMillis()));
    }
    ArrayNode notes = values.putArray("notes");
    result.notes().forEach(notes::add);
    lines.add(
        result.steps().isEmpty()
            ? nothingToDo(database, result.to())
            : "the schema of %s went from %s to %s in %s ms"
                .formatted(database, result.from(), result.to(), result.took().toMillis()));
    return new MigrateReport(values, lines);
  }

  /** Report what was applied before a migration that failed. */
  static MigrateReport of(List<MigrationStep> applied, String database) {
    MigrationStep last = applied.get(applied.size() - 1);
    Duration took = applied.stream().map(MigrationStep::took).reduce(Duration.ZERO, Duration::plus);
    return of(
        new MigrationResult(applied, applied.get(0).number() - 1, last.number(), took, List.of()),
        database);
  }

  static MigrateReport of(MissingMigrations missing, String database) {
    ObjectNode values = values(database, true, missing.from(), missing.to());
    ArrayNode wanted = values.putArray("missing");
    var lines = new ArrayList<String>();
    for (int i = 0; i < missing.names().size(); i++) {
      String name = missing.names().get(i);
      wanted.addObject().put("number", missing.from() + i + 1).put("name", name);
      lines.add("would apply " + name);
    }
    if (lines.isEmpty()) {
      lines.add(nothingToDo(database, missing.from()));
    }
    return new MigrateReport(values, lines);
  }

  private static ObjectNode values(String database, boolean dryRun, int from, int to) {
    return Json.object()
        .put("database", database)
        .put("dryRun", dryRun)
        .put("from", from)
        .put("to", to);
  }

  private static String nothingToDo(String database, int number) {
    return "nothing to do, the schema of %s is at %s".formatted(database, number);
  }

  void print(Output output) {
    output.print(values, people -> lines.forEach(people::line));
  }
}
