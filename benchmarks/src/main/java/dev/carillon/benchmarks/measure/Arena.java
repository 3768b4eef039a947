package dev.carillon.benchmarks.measure;

import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.postgres.LocalPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The PostgreSQL that all entrants share, one after the other, each on a fresh database. */
public final class Arena implements AutoCloseable {
  /* Loaded, yet idle: without query ids, pg_stat_statements takes no part in a statement. */
  private static final List<String> SETTINGS =
      List.of(
          "shared_buffers=1GB",
          "max_wal_size=4GB",
          "shared_preload_libraries=pg_stat_statements",
          "pg_stat_statements.track_utility=off",
          "compute_query_id=off");

  private static final String MEASURED = "measured";

  private final LocalPostgres postgres;
  private final Map<String, Prepared> templates = new HashMap<>();
  private final Set<String> kept = new HashSet<>();

  private Arena(LocalPostgres postgres) {
    this.postgres = postgres;
  }

  public static Arena open(Path data) {
    return new Arena(
        LocalPostgres.start(
            data, "benchmarks", SETTINGS, step -> System.err.println("benchmarks: " + step)));
  }

  /** Do {@code trial} with {@code idle} schedules in the table, in a JVM with {@code heap}. */
  public <T> T measure(Trial trial, int idle, String heap, Class<T> outcome)
      throws IOException, InterruptedException {
    return TrialProcess.run(trial, fresh(trial.entrant(), idle), heap, outcome);
  }

  /** Return a database with {@code idle} schedules in which nothing was measured yet. */
  public Database fresh(Entrant entrant, int idle) throws IOException, InterruptedException {
    return copy(template(entrant, idle), MEASURED);
  }

  /** Return a database like a fresh one, which is kept from one measurement to the next. */
  public Database kept(Entrant entrant, int idle) throws IOException, InterruptedException {
    String template = template(entrant, idle);
    return kept.add(template) ? copy(template, keptName(template)) : database(keptName(template));
  }

  /**
   * Return a database like {@link #kept}, whose schedules are copies of {@code created} ones, which
   * the library made.
   */
  public Database keptCopies(Entrant entrant, int idle, int created)
      throws IOException, InterruptedException {
    String name = name(entrant, idle);
    Database database = database(keptName(name));
    if (kept.add(name)) {
      copy(template(entrant, created), keptName(name));
      new ScheduleCopies(idle / created).insert(database.sql());
    }
    return database;
  }

  private static String keptName(String template) {
    return template + "_kept";
  }

  private Database copy(String template, String name) {
    create(name, "template " + template + " strategy file_copy");
    return database(name);
  }

  /** Return how long {@code entrant} took to add {@code idle} schedules, if it had to. */
  public double secondsToAdd(Entrant entrant, int idle) {
    Prepared prepared = templates.get(name(entrant, idle));
    return prepared == null ? Double.NaN : prepared.seconds();
  }

  private static String name(Entrant entrant, int idle) {
    return "%s_with_%s_idle"
        .formatted(entrant.library().toLowerCase(Locale.ROOT).replaceAll("\\W", "_"), idle);
  }

  /** Do {@code trial} on the database that the trial before left. */
  public <T> T measureAgain(Trial trial, String heap, Class<T> outcome)
      throws IOException, InterruptedException {
    return TrialProcess.run(trial, database(MEASURED), heap, outcome);
  }

  /** Do {@code trial} on the database called {@code name}, which is kept for the next one. */
  public <T> T measureOn(String name, Trial trial, String heap, Class<T> outcome)
      throws IOException, InterruptedException {
    if (!templates.containsKey(name)) {
      copy(template(trial.entrant(), 0), name);
      templates.put(name, new Prepared(0));
    }
    return TrialProcess.run(trial, database(name), heap, outcome);
  }

  /** Return the database that others of this library and size are copies of. */
  private String template(Entrant entrant, int idle) throws IOException, InterruptedException {
    String name = name(entrant, idle);
    if (!templates.containsKey(name)) {
      create(name, "");
      var trial = Trial.prepare(entrant, idle);
      templates.put(name, TrialProcess.run(trial, database(name), "512m", Prepared.class));
    }
    return name;
  }

  private void create(String name, String how) {
    drop(name);
    database("postgres").sql().run("create database " + name + " " + how);
  }

  private void drop(String name) {
    database("postgres").sql().run("drop database if exists " + name + " with (force)");
  }

  private Database database(String name) {
    return new Database(postgres.jdbcUrl(name), postgres.user(), postgres.password());
  }

  /** Describe the server, such as {@code PostgreSQL 18.4, …}. */
  public String description() {
    return "PostgreSQL %s (fsync and synchronous_commit on, %s, %s) on the same machine"
        .formatted(postgres.version(), SETTINGS.get(0), SETTINGS.get(1));
  }

  @Override
  public void close() {
    templates.keySet().forEach(this::drop);
    kept.forEach(template -> drop(keptName(template)));
    drop(MEASURED);
    postgres.close();
  }
}
