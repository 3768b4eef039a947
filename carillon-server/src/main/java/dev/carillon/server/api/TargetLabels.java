package dev.carillon.server.api;

import dev.carillon.TargetRegistry;
import dev.carillon.model.Schedule;
import dev.carillon.model.Scope;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.UnknownName;
import dev.carillon.time.Warning;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The labels that schedules and runs may name. One that was defined a moment ago through another
 * node is looked for before it is refused.
 *
 * @param targets those this node knows
 * @param catalog what is defined by now, and what is missing
 */
public record TargetLabels(TargetRegistry targets, TargetCatalog catalog) {
  private static final int MAX_SHOWN = 20;

  /** Return the label that {@code fields} must name as their target. */
  public Optional<String> read(JsonFields fields) {
    Optional<String> label = fields.needed("target", "say what runs: the label of a target");
    label.ifPresent(fields.scope()::checkTarget);
    label
        .filter(named -> !knows(named))
        .ifPresent(named -> fields.error("target", unknown(named, fields.scope())));
    return label;
  }

  /** Return the label that {@code fields} name as their target, or else {@code usual}. */
  public String read(JsonFields fields, String usual) {
    String label = fields.text("target").orElse(usual);
    fields.scope().checkTarget(label);
    if (!knows(label)) {
      fields.error("target", unknown(label, fields.scope()));
    }
    return label;
  }

  /** Add to {@code view} what is odd about a schedule, also that its runs will fail. */
  Map<String, @Nullable Object> warn(
      Map<String, @Nullable Object> view, List<Warning> others, Schedule schedule) {
    var warnings = new ArrayList<Object>();
    catalog
        .missing(schedule.definition().target())
        .ifPresent(missing -> warnings.add(view(missing.code(), missing.message())));
    others.forEach(warning -> warnings.add(view(warning.code(), warning.message())));
    if (!warnings.isEmpty()) {
      view.put("warnings", warnings);
    }
    return view;
  }

  private static Map<String, String> view(String code, String message) {
    return Map.of("code", code, "message", message);
  }

  /** Add to {@code view} that runs with {@code label} will fail, if they will. */
  public Map<String, @Nullable Object> warn(Map<String, @Nullable Object> view, String label) {
    catalog
        .missing(label)
        .ifPresent(
            missing -> view.put("warnings", List.of(view(missing.code(), missing.message()))));
    return view;
  }

  /** Return why workers cannot fetch runs of some of {@code wanted}; empty if they can of all. */
  public List<String> forWorkers(Collection<String> wanted, Scope scope) {
    lookFor(wanted);
    return wanted.stream().flatMap(label -> forWorkers(label, scope).stream()).toList();
  }

  private Optional<String> forWorkers(String label, Scope scope) {
    if (!labels().contains(label)) {
      return Optional.of(unknown(label, scope));
    }
    return targets.localLabels().contains(label)
        ? Optional.of("nodes do this themselves; workers fetch runs of targets of type worker")
        : Optional.empty();
  }

  private boolean knows(String label) {
    lookFor(Set.of(label));
    return labels().contains(label);
  }

  private String unknown(String label, Scope scope) {
    TreeSet<String> reached =
        labels().stream()
            .filter(scope::admitsTarget)
            .collect(Collectors.toCollection(TreeSet::new));
    return (!reached.isEmpty() && reached.size() <= MAX_SHOWN
            ? "there is no such target: " + UnknownName.word(label, reached)
            : "there is no target of this label; GET /api/v1/targets lists them")
        + "; PUT /api/v1/targets/{label} defines one";
  }

  /* One look at the database serves all unknown labels. */
  private void lookFor(Collection<String> wanted) {
    if (!labels().containsAll(wanted)) {
      catalog.refresh();
    }
  }

  private Set<String> labels() {
    return targets.labels();
  }
}
