package dev.carillon.cli.doctor;

import dev.carillon.Version;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Count;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.database.DirectDatabase;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.store.Migrated;
import dev.carillon.store.Migrator;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Brings a schema up to date from a terminal. */
final class Migrating {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final PrintWriter out;

  Migrating(PrintWriter out) {
    this.out = out;
  }

  void migrate(Map<String, String> flags, Map<String, String> environment, boolean dryRun) {
    DirectDatabase.named(flags, environment, "carillon migrate", out::println)
        .use((connections, address) -> migrate(connections, address, dryRun));
    out.flush();
  }

  private void migrate(DataSource connections, DatabaseUrl address, boolean dryRun) {
    var migrator = new Migrator(connections, Version.current());
    if (dryRun) {
      tell(migrator.missing(PATIENCE), address);
    } else {
      tell(migrator.migrate(), address);
    }
  }

  private void tell(List<String> missing, DatabaseUrl address) {
    missing.forEach(name -> out.println("would apply " + name));
    if (!missing.isEmpty()) {
      out.flush();
      throw new CommandFailure(
          Exit.CHANGES,
          "the schema of %s needs %s"
              .formatted(address, Count.of(missing.size(), "migration", "migrations")));
    }
    out.println("the schema of %s is up to date".formatted(address));
  }

  private void tell(Migrated migrated, DatabaseUrl address) {
    migrated.notes().forEach(out::println);
    if (migrated.applied().isEmpty()) {
      out.println("the schema of %s is up to date, at %s".formatted(address, migrated.to()));
      return;
    }
    migrated.applied().forEach(name -> out.println("applied " + name));
    out.println(
        "the schema of %s went from %s to %s in %s ms"
            .formatted(address, migrated.from(), migrated.to(), migrated.took().toMillis()));
  }
}
