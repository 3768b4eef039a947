package dev.carillon.store.schema;

import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Migrates the schema {@code carillon}, one migration per transaction. Any number of nodes may call
 * it at once: each transaction takes an advisory lock, so one node applies a migration.
 */
public final class Migrator {
  private final Database database;
  private final List<Migration> known;
  private final String version;

  /** Migrate the database of {@code source} in the name of Carillon {@code version}. */
  public Migrator(DataSource source, String version) {
    this(new Database(source), Migration.all(), version);
  }

  Migrator(Database database, List<Migration> known, String version) {
    this.database = database;
    this.known = List.copyOf(known);
    this.version = version;
  }

  /**
   * Apply the missing migrations.
   *
   * @throws StoreException if a migration fails, which leaves nothing of it behind, or if the
   *     schema is one this version must not touch
   */
  public MigrationResult migrate() {
    return migrate(step -> {});
  }

  /**
   * Apply the missing migrations, and give each to {@code listener} once it is committed: it stays,
   * also if a later one fails.
   *
   * @throws StoreException as {@link #migrate()} does
   */
  public MigrationResult migrate(Consumer<MigrationStep> listener) {
    return migrateTo(known.size(), listener);
  }

  /**
   * Apply the missing migrations up to {@code last}.
   *
   * @throws StoreException as {@link #migrate()} does
   */
  public MigrationResult migrateTo(int last) {
    return migrateTo(last, step -> {});
  }

  private MigrationResult migrateTo(int last, Consumer<MigrationStep> listener) {
    database.refuseUnfit();
    Instant startedAt = time(database);
    SchemaHistory before = accepted(history(database));
    var applied = new ArrayList<MigrationStep>();
    SchemaHistory after = before;
    while (after.next().filter(next -> next.number() <= last).isPresent()) {
      Optional<MigrationStep> step = database.inTransaction(this::applyNext);
      step.ifPresent(applied::add);
      step.ifPresent(listener);
      after = accepted(history(database));
    }
    return new MigrationResult(
        applied,
        before.number(),
        after.number(),
        Duration.between(startedAt, time(database)),
        after.notes(version));
  }

  /**
   * Make sure that this version can work with the schema as it is, without changing anything.
   *
   * @throws StoreException if it cannot, with the cure
   */
  public void check() {
    database.refuseUnfit();
    Place place = place(database);
    if (!place.hasHistory()) {
      throw unfit("there is no schema of Carillon's in database %s".formatted(place.database()));
    }
    List<String> problems = problems(readable(place));
    if (!problems.isEmpty()) {
      throw unfit(String.join("; ", problems));
    }
  }

  private static StoreException unfit(String problem) {
    return new StoreException(
        "check the schema",
        problem
            + "; run 'carillon migrate' as the owner of the schema, or start once with"
            + " migrate(true)");
  }

  private SchemaHistory readable(Place place) {
    try {
      return history(database);
    } catch (StoreException e) {
      if (!e.isForbidden()) {
        throw e;
      }
      throw new StoreException(
          "check the schema",
          "role %s may not read the schema carillon of database %s; as its owner, run: grant usage on schema carillon to %s; grant select, insert, update, delete on all tables in schema carillon to %s; grant usage on all sequences in schema carillon to %s"
              .formatted(place.role(), place.database(), place.role(), place.role(), place.role()));
    }
  }

  /** Return why this version cannot work with the schema as it is now; empty when it can. */
  public List<String> problems(Duration timeout) {
    return problems(history(database.waitingAtMost(timeout)));
  }

  private List<String> problems(SchemaHistory history) {
    var problems = new ArrayList<>(history.refusals(version));
    history
        .next()
        .ifPresent(
            next ->
                problems.add(
                    "the schema is at %s, Carillon %s needs %s: %s is not applied yet"
                        .formatted(history.number(), version, known.size(), next.name())));
    return List.copyOf(problems);
  }

  /**
   * Return what {@link #migrate} would apply.
   *
   * @throws StoreException if the schema is one this version must not touch
   */
  public MissingMigrations missing(Duration timeout) {
    SchemaHistory history = accepted(history(database.waitingAtMost(timeout)));
    return new MissingMigrations(
        known.stream().skip(history.number()).map(Migration::name).toList(),
        history.number(),
        Math.max(history.number(), known.size()));
  }

  /**
   * See that a schema with {@code migrations} can be made by this version.
   *
   * @param maker the version of Carillon that has it
   * @param migrations the checksum of each migration by its name
   * @throws StoreException if a migration is unknown or another one
   */
  public void checkKnown(String maker, Map<String, String> migrations) {
    Map<String, String> ours =
        known.stream().collect(Collectors.toMap(Migration::name, Migration::checksum));
    migrations.forEach(
        (name, checksum) -> {
          if (!checksum.equals(ours.get(name))) {
            throw new StoreException(
                "check the schema",
                "it was made by Carillon %s, whose migration %s is %s to Carillon %s; use that version or a later one"
                    .formatted(
                        maker, name, ours.containsKey(name) ? "another" : "unknown", version));
          }
        });
  }

  private Optional<MigrationStep> applyNext(Transaction tx) {
    lock(tx);
    createSchema(tx);
    return accepted(history(tx)).next().map(next -> timed(tx, next));
  }

  private MigrationStep timed(Transaction tx, Migration next) {
    Instant startedAt = time(tx);
    apply(tx, next);
    return new MigrationStep(next.number(), next.name(), Duration.between(startedAt, time(tx)));
  }

  private SchemaHistory accepted(SchemaHistory history) {
    history
        .refusals(version)
        .forEach(
            refusal -> {
              throw new StoreException("check the schema", refusal);
            });
    return history;
  }

  /* Read committed, so that statements after the wait see what other migrators committed. The key is
   * "carillon" in ASCII: advisory locks share one number space in a database. */
  private void lock(Transaction tx) {
    tx.script(
        "lock the migrations",
        """
        set transaction isolation level read committed;
        select pg_advisory_xact_lock(x'636172696c6c6f6e'::bigint);
        """);
  }

  /* "create schema if not exists" would ask for the right to create schemas even if it exists. */
  private void createSchema(Transaction tx) {
    Place place = place(tx);
    if (!place.hasSchema()) {
      createSchema(tx, place);
    } else if (!place.mayCreate()) {
      throw new StoreException(
          "create the schema",
          "role %s may not create tables in schema carillon of database %s; as its owner, run: grant usage, create on schema carillon to %s"
              .formatted(place.role(), place.database(), place.role()));
    }
    if (!place.hasHistory()) {
      tx.script(
          "create the table of migrations",
          """
          create table carillon.migration (
            number     integer     primary key check (number > 0),
            name       text        not null unique,
            checksum   text        not null,
            breaking   boolean     not null,
            applied_at timestamptz not null,
            applied_by text        not null
          );
          comment on table carillon.migration is
            'The migrations this schema has, and the version of Carillon that applied each.';
          """);
    }
  }

  private void createSchema(Transaction tx, Place place) {
    try {
      tx.script("create the schema", "create schema carillon");
    } catch (StoreException e) {
      if (!e.isForbidden()) {
        throw e;
      }
      throw new StoreException(
          "create the schema",
          "role %s may not create the schema carillon in database %s; as the database's owner, run: create schema carillon authorization %s"
              .formatted(place.role(), place.database(), place.role()));
    }
  }

  private void apply(Transaction tx, Migration migration) {
    tx.script("migration " + migration.name(), migration.sql());
    tx.update(
        "remember the migration",
        """
        insert into carillon.migration (number, name, checksum, breaking, applied_at, applied_by)
        values (:number, :name, :checksum, :breaking, transaction_timestamp(), :version)
        """,
        bind ->
            bind.set("number", migration.number())
                .set("name", migration.name())
                .set("checksum", migration.checksum())
                .set("breaking", migration.breaking())
                .set("version", version));
  }

  private SchemaHistory history(Statements statements) {
    if (!place(statements).hasHistory()) {
      return new SchemaHistory(known, List.of());
    }
    return new SchemaHistory(
        known,
        statements.query(
            "read the migrations",
            """
            select number, name, checksum, breaking, applied_by
              from carillon.migration
             order by number
            """,
            row ->
                new AppliedMigration(
                    row.integer("number"),
                    row.text("name"),
                    row.text("checksum"),
                    row.flag("breaking"),
                    row.text("applied_by"))));
  }

  /* From the catalogue, which every role may read; to_regclass needs rights on the schema. */
  private static Place place(Statements statements) {
    return statements.one(
        "look for the schema",
        """
        select quote_ident(current_user) as role,
               current_database() as database,
               namespace.oid is not null as has_schema,
               coalesce(has_schema_privilege(namespace.oid, 'usage')
                        and has_schema_privilege(namespace.oid, 'create'), false) as may_create,
               history.oid is not null as has_history
          from (values ('carillon')) as wanted (name)
          left join pg_catalog.pg_namespace as namespace
            on namespace.nspname = wanted.name
          left join pg_catalog.pg_class as history
            on history.relnamespace = namespace.oid
           and history.relname = 'migration'
        """,
        row ->
            new Place(
                row.text("role"),
                row.text("database"),
                row.flag("has_schema"),
                row.flag("may_create"),
                row.flag("has_history")));
  }

  private static Instant time(Statements statements) {
    return statements.one(
        "read the clock", "select clock_timestamp() as now", row -> row.instant("now"));
  }

  private record Place(
      String role, String database, boolean hasSchema, boolean mayCreate, boolean hasHistory) {}
}
