package dev.carillon.postgres;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server that this process starts in a data folder.
 *
 * <p>It listens on loopback only, on a port chosen at each start. It stops when closed, and also
 * when this process is killed.
 */
public final class LocalPostgres implements AutoCloseable {
  private static final String DATABASE = "carillon";

  private final DataFolder folder;
  private final KeptPostgres server;
  private final Login superuser;
  private final Login owner;
  private final Login application;
  private final String version;

  private LocalPostgres(
      DataFolder folder, KeptPostgres server, Login superuser, Login owner, Login application) {
    this.folder = folder;
    this.server = server;
    this.superuser = superuser;
    this.owner = owner;
    this.application = application;
    this.version = createDatabase();
  }

  /**
   * A user of the database and their password.
   *
   * @param password {@link #toString} omits it
   */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /**
   * Start PostgreSQL in {@code data}, creating folder and database at the first start; committed
   * transactions are on disk.
   *
   * @param data the folder, which one process at a time can lock
   * @param holder the name of this process, such as {@code carillon serve}, for the error that
   *     other processes get
   * @param progress receives one short line before each step that can take time
   */
  public static LocalPostgres start(Path data, String holder, Consumer<String> progress) {
    return start(data, holder, List.of(), progress);
  }

  /**
   * Start PostgreSQL as {@link #start(Path, String, Consumer)} does, with additional settings.
   *
   * @param settings each as {@code name=value}; they override the defaults, and {@code port=}
   *     overrides the port chosen at each start
   */
  public static LocalPostgres start(
      Path data, String holder, List<String> settings, Consumer<String> progress) {
    BinaryArchive archive = BinaryArchive.ofThisPlatform();
    return start(
        archive, DataFolder.lock(data, holder), ServerProfile.DURABLE.with(settings), progress);
  }

  /** Return the process that holds {@code data} and its address; empty if none does. */
  public static Optional<String> holder(Path data) {
    return DataFolder.holder(data);
  }

  /**
   * How to connect to a PostgreSQL that another process started.
   *
   * @param jdbcUrl the URL of the database {@code carillon}
   * @param owner who owns its schema
   */
  public record RunningServer(String jdbcUrl, Login owner) {}

  /**
   * Return how to connect to the PostgreSQL that runs in {@code data}; empty if none does, or if
   * this user may not read its password.
   */
  public static Optional<RunningServer> running(Path data) {
    return DataFolder.running(data);
  }

  static RunningServer runningServer(int port, String ownerPassword) {
    return new RunningServer(url(port, DATABASE), new Login(DatabaseRoles.OWNER, ownerPassword));
  }

  /**
   * Start a PostgreSQL for tests: fast, not crash-safe, its folder deleted when it ends. The folder
   * is in memory, in {@code /dev/shm}, if that has 2 GiB of free space.
   */
  public static LocalPostgres temporary() {
    BinaryArchive archive = BinaryArchive.ofThisPlatform();
    return start(archive, DataFolder.temporary(), ServerProfile.TEMPORARY, step -> {});
  }

  /**
   * Start a PostgreSQL as durable as that of {@link #start(Path, String, Consumer)}, in a new
   * folder that is deleted when it ends, even if this process is killed.
   *
   * @param parent the folder in which to create it, which determines the disk
   * @param progress receives one short line before each step that can take time
   */
  public static LocalPostgres disposable(Path parent, String holder, Consumer<String> progress) {
    BinaryArchive archive = BinaryArchive.ofThisPlatform();
    return start(archive, DataFolder.temporary(parent, holder), ServerProfile.DURABLE, progress);
  }

  private static LocalPostgres start(
      BinaryArchive archive, DataFolder folder, ServerProfile profile, Consumer<String> progress) {
    @Nullable KeptPostgres server = null;
    try {
      Binaries binaries = archive.unpack(BinaryArchive.caches(folder.path()), progress);
      PostmasterFile.of(folder.cluster())
          .ifPresent(
              earlier -> {
                progress.accept("making sure that an earlier PostgreSQL has stopped");
                earlier.stop();
              });
      var cluster = new PostgresCluster(folder, binaries, PostgresAccount.choose(folder), profile);
      var superuser = new Login(PostgresCluster.SUPERUSER, cluster.open(progress));
      server = KeptPostgres.start(cluster, progress);
      return new LocalPostgres(
          folder,
          server,
          superuser,
          new Login(DatabaseRoles.OWNER, cluster.replaceOwnerPassword()),
          new Login(DatabaseRoles.APPLICATION, SecretFile.random()));
    } catch (RuntimeException e) {
      if (server != null) {
        server.stop();
      }
      folder.release();
      throw e;
    }
  }

  /* Creates our database unless it exists, which also proves that we can connect. */
  private String createDatabase() {
    try (Connection connection = connect(jdbcUrl("postgres"));
        var statement = connection.createStatement()) {
      boolean missing;
      try (var found =
          statement.executeQuery("select from pg_database where datname = '" + DATABASE + "'")) {
        missing = !found.next();
      }
      if (missing) {
        statement.execute("create database " + DATABASE);
      }
      try (Connection ours = connect(jdbcUrl())) {
        DatabaseRoles.prepare(ours, owner, application);
      }
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new PostgresException(
          "PostgreSQL started but could not be prepared: %s".formatted(e.getMessage()), e);
    }
  }

  private Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, superuser.user(), superuser.password());
  }

  private static String url(int port, String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable";
  }

  /** Return the URL of the database {@code carillon}, which always exists. */
  public String jdbcUrl() {
    return jdbcUrl(DATABASE);
  }

  /** Return the URL of {@code database}, which need not exist. */
  public String jdbcUrl(String database) {
    return url(server.port(), database);
  }

  /**
   * Return the database {@code carillon}, which always exists, as seen by its owner; without a
   * connection pool.
   */
  public DataSource dataSource() {
    var source = new PGSimpleDataSource();
    source.setURL(jdbcUrl());
    source.setUser(owner.user());
    source.setPassword(owner.password());
    return source;
  }

  /** Return who owns the database {@code carillon} and may change its schema; no superuser. */
  public Login owner() {
    return owner;
  }

  /** Return who may read and write the rows of what the owner creates, and nothing else. */
  public Login application() {
    return application;
  }

  /** Return the superuser, for tests and administration. */
  public String user() {
    return superuser.user();
  }

  /** Return the password of the superuser, created at the first start and kept in the folder. */
  public String password() {
    return superuser.password();
  }

  /**
   * Return the port on 127.0.0.1, which differs from start to start unless the settings name it.
   */
  public int port() {
    return server.port();
  }

  /** Return the server's version, such as {@code 18.4}. */
  public String version() {
    return version;
  }

  /**
   * Publish the address of this process, such as a URL, to processes that find the folder in use.
   */
  public void announce(String address) {
    folder.announce(address);
  }

  /** Return why the server does not run now; empty if it does. */
  public Optional<String> problem() {
    return server.problem();
  }

  /** Return whether the server runs now; one that ends by itself is restarted a few times. */
  public boolean alive() {
    return server.alive();
  }

  /** Stop the server, closing its connections, and release the folder. Safe to call twice. */
  @Override
  public void close() {
    server.stop();
    folder.release();
  }
}
