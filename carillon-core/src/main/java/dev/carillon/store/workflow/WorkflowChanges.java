package dev.carillon.store.workflow;

import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.StorableText;
import dev.carillon.model.Workflow;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Deploys and removes workflows, in one transaction. */
public final class WorkflowChanges {
  /** The longest graph accepted, in bytes of its JSON. */
  public static final int MAX_SIZE = 1024 * 1024;

  private final Transaction tx;

  public WorkflowChanges(Transaction tx) {
    this.tx = tx;
  }

  /** What a deployment did. */
  public enum Change {
    /** The version is new, or was removed before. */
    DEPLOYED,
    /** The version has another graph now. */
    REPLACED,
    /** Nothing: the version has the same graph. */
    UNCHANGED
  }

  /** A workflow after a deployment, and what that did. */
  public record Deployed(Workflow workflow, Change change) {}

  /** Deploy a version of a workflow; the same again changes nothing. */
  public Deployed deploy(String id, int version, String dag, ChangedBy by) {
    check(id, version, dag);
    Optional<Workflow> before = new WorkflowStore(tx).find(id, version);
    boolean written = write(id, version, dag, by);
    Change change =
        !written
            ? Change.UNCHANGED
            : before.filter(known -> known.removed().isEmpty()).isPresent()
                ? Change.REPLACED
                : Change.DEPLOYED;
    if (written) {
      audit("workflow.deployed", id, version, by);
    }
    return new Deployed(new WorkflowStore(tx).find(id, version).orElseThrow(), change);
  }

  /** Lock a workflow, which may not exist yet, against other deployments and removals. */
  public void lock(String id) {
    tx.query(
        "lock a workflow",
        """
        select pg_advisory_xact_lock(hashtextextended('carillon workflow ' || :id, 0))
        """,
        bind -> bind.set("id", id),
        row -> id);
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

  /* PostgreSQL stores numbers without exponents: a few characters may become a thousand digits. */
  private static long digits(@Nullable Object json) {
    if (json instanceof Map<?, ?> map) {
      return map.values().stream().mapToLong(WorkflowChanges::digits).sum();
    }
    if (json instanceof List<?> list) {
      return list.stream().mapToLong(WorkflowChanges::digits).sum();
    }
    return json instanceof BigDecimal number
        ? number.precision() + Math.abs((long) number.scale())
        : 0;
  }

  private boolean write(String id, int version, String dag, ChangedBy by) {
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
            bind -> bind.set("id", id).set("version", version).set("dag", dag).by(by))
        == 1;
  }

  /** Remove a version; false if there is none, or it is removed. */
  public boolean remove(String id, int version, ChangedBy by) {
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
            bind -> bind.set("id", id).set("version", version).by(by));
    if (removed == 1) {
      audit("workflow.removed", id, version, by);
    }
    return removed == 1;
  }

  private void audit(String action, String id, int version, ChangedBy by) {
    AuditStore.insert(
        tx, List.of(AuditStore.Line.of(action, Map.of("workflow", id, "version", version))), by);
  }
}
