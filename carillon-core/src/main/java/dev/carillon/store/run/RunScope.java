package dev.carillon.store.run;

import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.Scope;
import dev.carillon.store.jdbc.Statements;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The runs that a scope reaches, by their own targets and the keys and tags of their schedules. */
public final class RunScope {
  private final Statements statements;
  private final Scope scope;

  public RunScope(Statements statements, Scope scope) {
    this.statements = statements;
    this.scope = scope;
  }

  /** Return those of {@code runs} that are reached: one statement, if tags matter, else none. */
  public List<Run> admitted(List<Run> runs) {
    if (scope.isAll() || runs.isEmpty()) {
      return runs;
    }
    Map<Long, List<String>> tags = scope.tags().isEmpty() ? Map.of() : tags(runs);
    return runs.stream()
        .filter(run -> scope.admits(run, tags.getOrDefault(run.id().schedule(), List.of())))
        .toList();
  }

  private Map<Long, List<String>> tags(List<Run> runs) {
    List<Long> schedules = runs.stream().map(run -> run.id().schedule()).distinct().toList();
    return statements.map(
        "find tags of schedules",
        """
        select schedule.id, version.tags
          from unnest((select :ids)) as wanted (id)
          join carillon.schedule
            on schedule.id = wanted.id
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
        """,
        bind -> bind.each("ids", "bigint", schedules, id -> id),
        row -> row.number("id"),
        row -> row.texts("tags"));
  }

  /** Return those of {@code ids} that are runs and reached, in one statement. */
  public Set<RunId> reached(Collection<RunId> ids) {
    if (scope.isAll() || ids.isEmpty()) {
      return Set.copyOf(ids);
    }
    return new HashSet<>(
        statements.query(
            "tell which runs are in a scope",
            """
            select run.schedule_id, run.slot, run.ordinal
              from unnest((select :schedules), (select :slots), (select :ordinals))
                   as wanted (schedule_id, slot, ordinal)
              join carillon.any_run as run
             using (schedule_id, slot, ordinal)
              left join carillon.schedule
                on schedule.id = run.schedule_id
              left join carillon.schedule_version as version
                on version.schedule_id = schedule.id and version.version = schedule.version
             where carillon.in_scope(:scope::jsonb, schedule.key, run.target, version.tags)
            """,
            bind -> RunKeys.bind(bind, List.copyOf(ids), id -> id).set("scope", scope.json()),
            RunRows::toId));
  }

  /** Return {@code filter} with the one target of the scope, by which an index finds its runs. */
  RunFilter narrowed(RunFilter filter) {
    return scope.targets().size() == 1 && filter.target().isEmpty()
        ? filter.target(scope.targets().get(0))
        : filter;
  }
}
