package dev.carillon;

import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Workflow;
import dev.carillon.model.WorkflowVersion;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.workflow.WorkflowChanges;
import dev.carillon.store.workflow.WorkflowChanges.Change;
import dev.carillon.store.workflow.WorkflowChanges.Deployed;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.time.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;

/**
 * The workflows of a cluster, and the schedules of their triggers.
 *
 * <p>The schedules of a workflow are those of its highest version that is not removed, in whatever
 * order versions come and go. A version and its schedules change together or not at all.
 */
public final class Workflows {
  private final Database database;
  private final Schedules schedules;
  private final Function<Workflow, List<ScheduleDraft>> triggers;

  Workflows(
      Database database, Schedules schedules, Function<Workflow, List<ScheduleDraft>> triggers) {
    this.database = database;
    this.schedules = schedules;
    this.triggers = triggers;
  }

  /**
   * What a deployment did.
   *
   * @param workflow the version as it stands now
   * @param isNew whether there was no such version before
   * @param schedules what was done to the schedules of the workflow
   */
  public record Deployment(Workflow workflow, boolean isNew, List<ChangeResult> schedules) {
    public Deployment {
      schedules = List.copyOf(schedules);
    }
  }

  /**
   * What a removal did.
   *
   * @param versions how many versions were removed
   * @param schedules what was done to the schedules of the workflow
   */
  public record Removal(int versions, List<ChangeResult> schedules) {
    public Removal {
      schedules = List.copyOf(schedules);
    }
  }

  /** Return the same workflows, whose changes are recorded as those of {@code actor}. */
  public Workflows as(String actor) {
    return new Workflows(database, schedules.as(actor), triggers);
  }

  /** Return the key of the schedule that belongs to a trigger. */
  public static String key(String workflow, String trigger) {
    if (trigger.isBlank()) {
      throw new InvalidValueException("a trigger has an id that is not blank");
    }
    return prefix(workflow) + trigger;
  }

  /** Return what the keys of a workflow's schedules begin with, and those of no other workflow. */
  public static String prefix(String workflow) {
    // A colon ends the id, so that none may be in it.
    return "workflow:" + workflow.replace("%", "%25").replace(":", "%3A") + ":";
  }

  /**
   * Deploy a version of a workflow and bring its schedules in line; the same again changes nothing.
   *
   * @throws RefusedDraftException if a schedule cannot be stored; then nothing has changed
   */
  public Deployment deploy(String id, int version, String dag) {
    return deployIf(id, version, dag, before -> true).orElseThrow();
  }

  /**
   * Deploy as {@link #deploy} does, if the version is as wanted; empty if it is not.
   *
   * @param wanted asked about the version before, removed or not, which is locked meanwhile
   * @throws RefusedDraftException if a schedule cannot be stored; then nothing has changed
   */
  public Optional<Deployment> deployIf(
      String id, int version, String dag, Predicate<Optional<Workflow>> wanted) {
    ScheduleLimits.workflow(id);
    ChangedBy by = schedules.changedBy();
    Optional<Deployment> done =
        database.inTransaction(
            tx -> {
              new WorkflowChanges(tx).lock(id);
              return wanted.test(new WorkflowStore(tx).find(id, version))
                  ? Optional.of(
                      deployed(tx, new WorkflowChanges(tx).deploy(id, version, dag, by), by))
                  : Optional.empty();
            });
    done.ifPresent(deployment -> deployment.schedules().forEach(schedules::committed));
    return done;
  }

  private Deployment deployed(Transaction tx, Deployed deployed, ChangedBy by) {
    return new Deployment(
        deployed.workflow(),
        deployed.change() == Change.DEPLOYED,
        aligned(tx, deployed.workflow().id(), by));
  }

  /** Remove a version and bring the schedules in line; empty if there is none such. */
  public Optional<Removal> remove(String id, int version) {
    return removeIf(id, version, before -> true);
  }

  /**
   * Remove a version as {@link #remove} does, if it is as wanted; empty if it is not.
   *
   * @param wanted asked about the version, which is locked meanwhile
   */
  public Optional<Removal> removeIf(String id, int version, Predicate<Workflow> wanted) {
    return removed(
        id,
        (tx, by) ->
            new WorkflowStore(tx).find(id, version).filter(wanted).isPresent()
                    && new WorkflowChanges(tx).remove(id, version, by)
                ? 1
                : 0);
  }

  /** Remove all versions and retire all schedules; empty if there are none. */
  public Optional<Removal> remove(String id) {
    return removed(
        id,
        (tx, by) ->
            Math.toIntExact(
                new WorkflowStore(tx)
                    .versions(id).stream()
                        .map(WorkflowVersion::version)
                        .filter(version -> new WorkflowChanges(tx).remove(id, version, by))
                        .count()));
  }

  private Optional<Removal> removed(String id, ToIntBiFunction<Transaction, ChangedBy> drop) {
    ChangedBy by = schedules.changedBy();
    ScheduleLimits.workflow(id);
    Removal done =
        database.inTransaction(
            tx -> {
              new WorkflowChanges(tx).lock(id);
              int versions = drop.applyAsInt(tx, by);
              return new Removal(versions, versions == 0 ? List.of() : aligned(tx, id, by));
            });
    done.schedules().forEach(schedules::committed);
    return Optional.of(done).filter(removal -> removal.versions() > 0);
  }

  private List<ChangeResult> aligned(Transaction tx, String id, ChangedBy by) {
    var wanted = new TreeMap<String, ScheduleDraft>();
    new WorkflowStore(tx)
        .latest(id)
        .map(triggers)
        .orElse(List.of())
        .forEach(draft -> wanted.put(draft.key(), draft));
    var changes = new ArrayList<ChangeResult>();
    wanted.values().forEach(draft -> changes.add(saved(tx, draft, by)));
    new WorkflowStore(tx)
        .schedulesUnder(prefix(id)).stream()
            .filter(key -> !wanted.containsKey(key))
            .forEach(key -> schedules.end(tx, key, by).ifPresent(changes::add));
    return changes;
  }

  private ChangeResult saved(Transaction tx, ScheduleDraft draft, ChangedBy by) {
    try {
      return schedules.save(tx, draft, by);
    } catch (InvalidValueException e) {
      throw new RefusedDraftException(draft.key(), e);
    }
  }
}
