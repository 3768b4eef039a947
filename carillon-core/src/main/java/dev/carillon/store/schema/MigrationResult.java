package dev.carillon.store.schema;

import java.time.Duration;
import java.util.List;

/**
 * What a call of {@link Migrator#migrate} did.
 *
 * @param steps the migrations this call applied, in order
 * @param from the schema's number before, zero if there was none
 * @param to the schema's number after
 * @param took how long it took by the database's clock, waiting for other nodes included
 * @param notes what an operator should know although nothing is wrong
 */
public record MigrationResult(
    List<MigrationStep> steps, int from, int to, Duration took, List<String> notes) {
  public MigrationResult {
    steps = List.copyOf(steps);
    notes = List.copyOf(notes);
  }

  /** Return the names of the migrations this call applied, in order. */
  public List<String> applied() {
    return steps.stream().map(MigrationStep::name).toList();
  }
}
