package dev.carillon.cli.database;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.postgres.PostgresException;
import dev.carillon.server.ConnectionPool;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.server.ServerSettings;
import dev.carillon.server.StartException;
import dev.carillon.store.jdbc.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The database that options and variables name, for a command that needs no server: one of the
 * user's, or the embedded one, beside a server that runs on it or started for the command.
 */
record DirectDatabase(ServerSettings settings, String command, Consumer<String> progress) {

  /** What a command does with a database. */
  interface Work {
    void on(DataSource connections, DatabaseUrl address);
  }

  /** Do {@code work} on the database, whose data folder must exist if it is the embedded one. */
  void use(Work work) {
    if (settings.database().isEmpty() && !Files.isDirectory(settings.data())) {
      throw new CommandFailure(
          Exit.USAGE,
          "there is no data folder %s, and no --database-url was given; say which database"
              .formatted(settings.data()));
    }
    useOrCreate(work);
  }

  /** Do {@code work} on the database; an embedded one is created if there is none. */
  void useOrCreate(Work work) {
    try {
      if (settings.database().isPresent()) {
        connect(settings.database().get(), work);
      } else {
        embedded(settings.data(), work);
      }
    } catch (StartException e) {
      throw new CommandFailure(isUnreachable(e) ? Exit.UNREACHABLE : Exit.FAILED, e);
    } catch (PostgresException | StoreException e) {
      throw new CommandFailure(Exit.FAILED, e);
    }
  }

  /* A server that runs there is left alone: its PostgreSQL can be used beside it. */
  private void embedded(Path data, Work work) {
    Optional<LocalPostgres.RunningServer> running = LocalPostgres.running(data);
    if (running.isPresent()) {
      connect(address(running.get().jdbcUrl(), running.get().owner()), work);
      return;
    }
    try (var postgres = LocalPostgres.start(data, command, progress)) {
      connect(address(postgres.jdbcUrl(), postgres.owner()), work);
    }
  }

  private static void connect(DatabaseUrl address, Work work) {
    try (var pool = ConnectionPool.open(address)) {
      work.on(pool.connections(), address);
    }
  }

  private static DatabaseUrl address(String url, LocalPostgres.Login login) {
    return DatabaseUrl.parse(url)
        .signingIn(Optional.of(login.user()), Optional.of(login.password()));
  }

  private static boolean isUnreachable(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof IOException || (cause != null && isUnreachable(cause));
  }
}
