package dev.carillon.store.schema;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The migrations that this version knows and those that a database has, compared. Pure. */
record SchemaHistory(List<Migration> known, List<AppliedMigration> applied) {
  SchemaHistory {
    known = List.copyOf(known);
    applied = List.copyOf(applied);
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).number() != i + 1) {
        throw new IllegalArgumentException(
            "migrations are numbered 1, 2, 3, …; %s should be number %s"
                .formatted(known.get(i).name(), i + 1));
      }
    }
  }

  /** Return the schema's number: that of the last migration applied, zero before the first. */
  int number() {
    return applied.isEmpty() ? 0 : applied.get(applied.size() - 1).number();
  }

  /** Return the migration to apply next, unless the schema has all that this version knows. */
  Optional<Migration> next() {
    return number() < known.size() ? Optional.of(known.get(number())) : Optional.empty();
  }

  /** Return why {@code version} must not touch this schema, one sentence each. */
  List<String> refusals(String version) {
    return Stream.of(gaps(), changes(), breaks(version)).flatMap(List::stream).toList();
  }

  /** Return harmless differences of this schema, one sentence each. */
  List<String> notes(String version) {
    List<AppliedMigration> unknown = unknown();
    if (unknown.isEmpty()) {
      return List.of();
    }
    return List.of(
        "the schema is newer than Carillon %s, which can work with it: it also has %s"
            .formatted(
                version,
                unknown.stream().map(SchemaHistory::described).collect(Collectors.joining(", "))));
  }

  private List<String> gaps() {
    for (int i = 0; i < applied.size(); i++) {
      if (applied.get(i).number() != i + 1) {
        return List.of(
            String.format(
                Locale.ROOT,
                "migration %04d was never applied though %s was; restore the table carillon.migration",
                i + 1,
                applied.get(i).name()));
      }
    }
    return List.of();
  }

  private List<String> changes() {
    return applied.stream()
        .filter(one -> one.number() <= known.size())
        .filter(one -> !known.get(one.number() - 1).checksum().equals(one.checksum()))
        .map(
            one ->
                "migration %s is not the file that was applied as %s; an applied migration never changes: undo the change and put it into a new migration"
                    .formatted(known.get(one.number() - 1).name(), described(one)))
        .toList();
  }

  private List<String> breaks(String version) {
    return unknown().stream()
        .filter(AppliedMigration::breaking)
        .map(
            one ->
                "the schema is too new for Carillon %s: %s changed what it relies on; run that version or a later one"
                    .formatted(version, described(one)))
        .toList();
  }

  private List<AppliedMigration> unknown() {
    return applied.stream().filter(one -> one.number() > known.size()).toList();
  }

  private static String described(AppliedMigration one) {
    return "%s (by Carillon %s)".formatted(one.name(), one.appliedBy());
  }
}
