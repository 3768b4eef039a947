package dev.carillon.store.workflow;

import dev.carillon.model.Page;
import dev.carillon.model.StorableText;
import dev.carillon.model.Workflow;
import dev.carillon.model.WorkflowVersion;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import java.util.List;
import java.util.Optional;

/** Reads deployed workflows. {@link WorkflowChanges} deploys and removes them. */
public final class WorkflowStore {
  private static final int MAX_VERSIONS = 1_000;

  private final Statements statements;

  public WorkflowStore(Statements statements) {
    this.statements = statements;
  }

  /** Return the keys that begin with {@code prefix} of schedules that are not retired, in order. */
  public List<String> schedulesUnder(String prefix) {
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

  /** Find a version of a workflow, removed or not. */
  public Optional<Workflow> find(String id, int version) {
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
    Optional<String> last = after.map(token -> PageToken.text(PageToken.Of.WORKFLOWS, token));
    List<WorkflowVersion> found =
        statements.query(
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
        row.changedBy("deployed"),
        row.optionalChangedBy("removed"));
  }

  private static Workflow toWorkflow(Row row) {
    return new Workflow(
        row.text("id"),
        row.integer("version"),
        row.text("dag"),
        row.changedBy("deployed"),
        row.optionalChangedBy("removed"));
  }
}
