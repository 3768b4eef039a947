package dev.carillon.store.workflow;

import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Page;
import dev.carillon.model.StorableText;
import dev.carillon.model.Workflow;
import dev.carillon.model.WorkflowVersion;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Deployed workflows. */
public final class WorkflowStore {
  /** The longest graph accepted, in bytes of its JSON. */
  public static final int MAX_SIZE = 1024 * 1024;

  private static final int MAX_VERSIONS = 1_000;

  private final Database database;

  public WorkflowStore(Database database) {
    this.database = database;
  }

  /** What came of a deployment. */
  public enum Change {
    /** The version is new, or was removed before. */
    DEPLOYED,
    /** The version has another graph now. */
    REPLACED,
    /** Nothing: it was like that already. */
    UNCHANGED
  }

  /**
   * A workflow after a deployment.
   *
   * @param workflow as it stands now
   * @param change what was done to it
   */
  public record Deployed(Workflow workflow, Change change) {}

  /** Deploy a version of a workflow; the same again changes nothing. */
  public Deployed deploy(String id, int version, String dag, ChangedBy by) {
    return database.inTransaction(tx -> deploy(tx, id, version, dag, by));
  }

  /** Deploy a version of a workflow; the same again changes nothing. */
  public Deployed deploy(Transaction tx, String id, int version, String dag, ChangedBy by) {
    check(id, version, dag);
    Optional<Workflow> before = find(tx, id, version);
    boolean written = write(tx, id, version, dag, by);
    Change change =
        !written
            ? Change.UNCHANGED
            : before.filter(known -> known.removed().isEmpty()).isPresent()
                ? Change.REPLACED
                : Change.DEPLOYED;
    if (written) {
      tell(tx, "workflow.deployed", id, version, by);
    }
    return new Deployed(find(tx, id, version).orElseThrow(), change);
  }

  /** Keep others from deploying and removing versions of a workflow until the transaction ends. */
  public void hold(Transaction tx, String id) {
    // Locks a number made of the id, against others who deploy or remove: there may be no row yet.
    tx.query(
        "hold a workflow",
        """
        select pg_advisory_xact_lock(hashtextextended('carillon workflow ' || :id, 0))
        """,
        bind -> bind.set("id", id),
        row -> id);
  }

  /** Return the keys that begin with {@code prefix} of schedules that are not retired, in order. */
  public List<String> schedulesUnder(String prefix) {
    return schedulesUnder(database, prefix);
  }

  /** Do the same, as {@code statements} see it. */
  public List<String> schedulesUnder(Statements statements, String prefix) {
    return statements.query(
        "find the schedules of a workflow",
        """
        select key
          from carillon.schedule
         where starts_with(key, :prefix)
           and status <> 'retired'
         order by key
        """,
        bind -> bind.set("prefix", prefix),
        row -> row.text("key"));
  }

  private static void check(String id, int version, String dag) {
    if (id.isBlank() || id.length() > 200 || !StorableText.is(id)) {
      throw new InvalidValueException("a workflow has an id of 1 to 200 characters");
    }
    if (version < 1) {
      throw new InvalidValueException("versions count from 1; was " + version);
    }
    int size = dag.getBytes(StandardCharsets.UTF_8).length;
    if (size > MAX_SIZE) {
      throw new InvalidValueException(
          "a workflow may have " + MAX_SIZE + " bytes of JSON; this one has " + size);
    }
    if (size + digits(Json.readObject(dag)) > MAX_SIZE) {
      throw new InvalidValueException(
          "a workflow may have " + MAX_SIZE + " bytes of JSON with its numbers written out");
    }
  }

  /* PostgreSQL keeps numbers without exponents, in which a few characters say a thousand digits. */
  private static long digits(@Nullable Object json) {
    if (json instanceof Map<?, ?> map) {
      return map.values().stream().mapToLong(WorkflowStore::digits).sum();
    }
    if (json instanceof List<?> list) {
      return list.stream().mapToLong(WorkflowStore::digits).sum();
    }
    return json instanceof BigDecimal number
        ? number.precision() + Math.abs((long) number.scale())
        : 0;
  }

  private boolean write(Transaction tx, String id, int version, String dag, ChangedBy by) {
    return tx.update(
            "deploy a workflow",
            """
            insert into carillon.workflow (id, version, dag, deployed_at, deployed_by)
            values (:id, :version, :dag::jsonb, :at, :by)
                on conflict (id, version) do update
               set dag = excluded.dag, deployed_at = excluded.deployed_at, deployed_by = excluded.deployed_by,
                   removed_at = null, removed_by = null
             where workflow.dag <> excluded.dag
                or workflow.removed_at is not null
            """,
            bind ->
                bind.set("id", id)
                    .set("version", version)
                    .set("dag", dag)
                    .set("at", by.at())
                    .set("by", by.by()))
        == 1;
  }

  /** Remove a version; false if there is none, or it is removed. */
  public boolean remove(String id, int version, ChangedBy by) {
    return database.inTransaction(tx -> remove(tx, id, version, by));
  }

  /** Remove a version; false if there is none, or it is removed. */
  public boolean remove(Transaction tx, String id, int version, ChangedBy by) {
    if (!StorableText.is(id)) {
      return false;
    }
    int removed =
        tx.update(
            "remove a workflow",
            """
            update carillon.workflow
               set removed_at = :at, removed_by = :by
             where id = :id
               and version = :version
               and removed_at is null
            """,
            bind ->
                bind.set("id", id).set("version", version).set("at", by.at()).set("by", by.by()));
    if (removed == 1) {
      tell(tx, "workflow.removed", id, version, by);
    }
    return removed == 1;
  }

  /** Find a version of a workflow, removed or not. */
  public Optional<Workflow> find(String id, int version) {
    return find(database, id, version);
  }

  /** Do the same, as {@code statements} see it. */
  public Optional<Workflow> find(Statements statements, String id, int version) {
    if (!StorableText.is(id)) {
      return Optional.empty();
    }
    return statements.first(
        "find a workflow",
        """
        select id, version, dag, deployed_at, deployed_by, removed_at, removed_by
          from carillon.workflow
         where id = :id
           and version = :version
        """,
        bind -> bind.set("id", id).set("version", version),
        WorkflowStore::toWorkflow);
  }

  /** Find the highest version of a workflow that is not removed. */
  public Optional<Workflow> latest(String id) {
    return latest(database, id);
  }

  /** Do the same, as {@code statements} see it. */
  public Optional<Workflow> latest(Statements statements, String id) {
    if (!StorableText.is(id)) {
      return Optional.empty();
    }
    return statements.first(
        "find the latest version of a workflow",
        """
        select id, version, dag, deployed_at, deployed_by, removed_at, removed_by
          from carillon.workflow
         where id = :id
           and removed_at is null
         order by version desc
         limit 1
        """,
        bind -> bind.set("id", id),
        WorkflowStore::toWorkflow);
  }

  /** Return the last thousand versions of a workflow, the highest first. */
  public List<WorkflowVersion> versions(String id) {
    return versions(database, id);
  }

  /** Do the same, as {@code statements} see it. */
  public List<WorkflowVersion> versions(Statements statements, String id) {
    if (!StorableText.is(id)) {
      return List.of();
    }
    return statements.query(
        "list versions of a workflow",
        """
        select id, version, deployed_at, deployed_by, removed_at, removed_by
          from carillon.workflow
         where id = :id
         order by version desc
         limit :limit
        """,
        bind -> bind.set("id", id).set("limit", MAX_VERSIONS),
        WorkflowStore::toVersion);
  }

  /** Return a page of the workflows that are not removed, each in its highest version, by id. */
  public Page<WorkflowVersion> page(Optional<String> after, int limit) {
    Optional<String> last = after.map(mark -> PageToken.text(PageToken.Of.WORKFLOWS, mark));
    List<WorkflowVersion> found =
        database.query(
            "list workflows",
            """
            select distinct on (id) id, version, deployed_at, deployed_by, removed_at, removed_by
              from carillon.workflow
             where removed_at is null
               and (:last::text is null or id > :last)
             order by id, version desc
             limit :limit
            """,
            bind -> bind.set("last", last).set("limit", Pages.checked(limit) + 1),
            WorkflowStore::toVersion);
    return Pages.of(found, limit, PageToken.Of.WORKFLOWS, WorkflowVersion::id);
  }

  private static WorkflowVersion toVersion(Row row) {
    return new WorkflowVersion(
        row.text("id"),
        row.integer("version"),
        new ChangedBy(row.instant("deployed_at"), row.text("deployed_by")),
        row.optionalInstant("removed_at").map(at -> new ChangedBy(at, row.text("removed_by"))));
  }

  private static Workflow toWorkflow(Row row) {
    return new Workflow(
        row.text("id"),
        row.integer("version"),
        row.text("dag"),
        new ChangedBy(row.instant("deployed_at"), row.text("deployed_by")),
        row.optionalInstant("removed_at").map(at -> new ChangedBy(at, row.text("removed_by"))));
  }

  private void tell(Transaction tx, String action, String id, int version, ChangedBy by) {
    AuditStore.insert(
        tx, List.of(AuditStore.Line.of(action, Map.of("workflow", id, "version", version))), by);
  }
}
