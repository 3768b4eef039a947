package dev.carillon.cli.bench;

import dev.carillon.bench.BenchException;
import dev.carillon.bench.Progress;
import dev.carillon.bench.Sql;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.server.ConnectionPool;
import dev.carillon.server.DatabaseUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL server that a bench works on, and the databases it has created there: closing
 * drops them all, and touches nothing else.
 *
 * <p>Closing waits for a database that is being created, so none is left behind.
 */
public final class Site implements AutoCloseable {
  private static final String PREFIX = "carillon_bench_";
  private static final int ATTEMPTS = 3;
  private static final Path BESIDE_TMP = Path.of("/var/tmp"); // on a disk where /tmp is memory
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  private final Optional<DatabaseUrl> given;
  private final Path parent;
  private final Map<String, Scratch> databases = new LinkedHashMap<>();
  private @Nullable LocalPostgres embedded;
  private @Nullable DatabaseUrl url;
  private @Nullable ConnectionPool admin;
  private boolean closed;

  private Site(Optional<DatabaseUrl> given, Path parent) {
    this.given = given;
    this.parent = parent;
  }

  /** Prepare to work on the server of {@code url}, where only databases of our own are touched. */
  public static Site at(DatabaseUrl url) {
    return new Site(Optional.of(url), BESIDE_TMP);
  }

  /** Prepare to work on a PostgreSQL of our own, whose data is in {@code parent} while it lasts. */
  public static Site embedded(Optional<Path> parent) {
    Path usual =
        Files.isWritable(BESIDE_TMP) ? BESIDE_TMP : Path.of(System.getProperty("java.io.tmpdir"));
    return new Site(Optional.empty(), parent.orElse(usual));
  }

  /** Connect to the server, or start one. */
  public synchronized void open(Progress progress) {
    checkOpen();
    url = given.orElseGet(() -> start(progress));
    admin = ConnectionPool.open(url);
  }

  private DatabaseUrl start(Progress progress) {
    LocalPostgres started =
        LocalPostgres.disposable(parent, "carillon bench", step -> progress.step("server", step));
    embedded = started;
    return DatabaseUrl.parse(started.jdbcUrl())
        .signingIn(Optional.of(started.user()), Optional.of(started.password()));
  }

  String place() {
    return given.isPresent() ? "at " + address().hosts() : "embedded, its data in " + parent;
  }

  /** Say whether the data is on no disk, as far as can be seen from here. */
  boolean inMemory() {
    try {
      return given.isEmpty() && IN_MEMORY.contains(Files.getFileStore(parent).type());
    } catch (IOException e) {
      return false;
    }
  }

  synchronized Scratch create() {
    checkOpen();
    byte[] random = new byte[4];
    new SecureRandom().nextBytes(random);
    String name = PREFIX + HexFormat.of().formatHex(random);
    try {
      sql().run("create database %s template template0".formatted(name)); // template1 may be in use
      Scratch scratch = Scratch.open(address().naming(name));
      databases.put(name, scratch);
      return scratch;
    } catch (BenchException e) {
      if (e.notAllowed()) {
        throw mayNotCreate(e);
      }
      throw drop(name).map(left -> new BenchException(e.getMessage() + "; " + left, e)).orElse(e);
    }
  }

  private BenchException mayNotCreate(BenchException e) {
    String role = sql().text("select quote_ident(current_user)");
    return new BenchException(
        "role %s may not create databases at %s, and bench works only in databases of its own; a superuser can allow it with: alter role %s createdb; (and take it back with: alter role %s nocreatedb;)"
            .formatted(role, address().hosts(), role, role),
        e);
  }

  synchronized void remove(Scratch scratch) {
    if (databases.remove(scratch.name()) != null) {
      scratch.close();
      drop(scratch.name())
          .ifPresent(
              left -> {
                throw new BenchException(left);
              });
    }
  }

  /** Return databases that look like ours and have no connection: a killed bench left them. */
  List<String> leftovers() {
    return sql()
        .texts(
            """
            select datname
              from pg_database
             where datname ~ '^carillon_bench_[0-9a-f]{8}$'
               and not exists (select from pg_stat_activity as session
                                where session.datname = pg_database.datname)
             order by datname
            """);
  }

  Sql sql() {
    return Sql.on(Objects.requireNonNull(admin, "the site is not open").connections());
  }

  private DatabaseUrl address() {
    return Objects.requireNonNull(url, "the site is not open");
  }

  private void checkOpen() {
    if (closed) {
      throw new BenchException("stopped");
    }
  }

  /**
   * Drop every database of ours and stop a server of ours. Safe to call twice, or before open.
   *
   * @throws BenchException if a database is left, saying how to drop it
   */
  @Override
  public synchronized void close() {
    closed = true;
    var left = new ArrayList<String>();
    databases.values().forEach(Scratch::close);
    if (embedded == null) {
      databases.keySet().forEach(name -> drop(name).ifPresent(left::add));
    }
    databases.clear();
    if (admin != null) {
      admin.close();
      admin = null;
    }
    if (embedded != null) {
      embedded.close();
      embedded = null;
    }
    if (!left.isEmpty()) {
      throw new BenchException(String.join("; ", left));
    }
  }

  /* A session of another user that we may not end, such as one for monitoring, is soon over. */
  private Optional<String> drop(String name) {
    BenchException last = new BenchException("never tried");
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        sql().run("drop database if exists %s with (force)".formatted(name));
        return Optional.empty();
      } catch (BenchException e) {
        last = e;
        pause();
      }
    }
    return Optional.of(
        "%s; drop what is left with: drop database %s;".formatted(last.getMessage(), name));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
