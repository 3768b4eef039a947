package dev.carillon.cli.doctor;

import dev.carillon.Version;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Count;
import dev.carillon.cli.console.Exit;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.postgres.PostgresException;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.server.Pool;
import dev.carillon.server.ServerSettings;
import dev.carillon.server.StartException;
import dev.carillon.store.Migrated;
import dev.carillon.store.Migrator;
import dev.carillon.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings a schema up to date from a terminal. */
final class Migrating {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final PrintWriter out;

  Migrating(PrintWriter out) {
    this.out = out;
  }

  void migrate(Map<String, String> flags, Map<String, String> environment, boolean dryRun) {
    ServerSettings settings;
    try {
      settings = ServerSettings.from(flags, environment);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(Exit.USAGE, e);
    }
    try {
      if (settings.database().isPresent()) {
        migrate(settings.database().get(), dryRun);
      } else {
        migrateEmbedded(settings.data(), dryRun);
      }
    } catch (StartException e) {
      throw new CommandFailure(isUnreachable(e) ? Exit.UNREACHABLE : Exit.FAILED, e);
    } catch (PostgresException | StoreException e) {
      throw new CommandFailure(Exit.FAILED, e);
    }
    out.flush();
  }

  private static boolean isUnreachable(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof IOException || (cause != null && isUnreachable(cause));
  }

  /* A server that runs there is left alone: its PostgreSQL can be used beside it. */
  private void migrateEmbedded(Path data, boolean dryRun) {
    Optional<LocalPostgres.Running> running = LocalPostgres.running(data);
    if (running.isPresent()) {
      migrate(
          address(running.get().jdbcUrl(), running.get().user(), running.get().password()), dryRun);
      return;
    }
    if (!Files.isDirectory(data)) {
      throw new CommandFailure(
          Exit.USAGE,
          "there is no data folder %s, and no --database-url was given; say which database"
              .formatted(data));
    }
    try (var postgres = LocalPostgres.start(data, "carillon migrate", out::println)) {
      migrate(address(postgres.jdbcUrl(), postgres.user(), postgres.password()), dryRun);
    }
  }

  private static DatabaseUrl address(String url, String user, String password) {
    return DatabaseUrl.parse(url).signingIn(Optional.of(user), Optional.of(password));
  }

  private void migrate(DatabaseUrl address, boolean dryRun) {
    try (var pool = Pool.open(address)) {
      var migrator = new Migrator(pool.connections(), Version.current());
      if (dryRun) {
        tell(migrator.missing(PATIENCE), address);
      } else {
        tell(migrator.migrate(), address);
      }
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
