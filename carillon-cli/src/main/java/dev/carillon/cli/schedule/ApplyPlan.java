package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.schedule.Change.Kind;
import dev.carillon.cli.schedule.Change.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Everything that applying some documents would change.
 *
 * @param changes in the order in which they are done
 */
record ApplyPlan(List<Change> changes) {

  /**
   * Make a plan.
   *
   * @param wanted the documents
   * @param previews what the server says each would change, by its name
   * @param owned the ETags of the schedules to retire unless a document names them, by key
   */
  static ApplyPlan of(
      Definitions wanted,
      Map<Resource, Map<String, DryRunPreview>> previews,
      Map<String, String> owned) {
    var changes = new ArrayList<Change>();
    for (Resource resource : Resource.values()) {
      changes.addAll(
          changes(resource, wanted.of(resource), previews.getOrDefault(resource, Map.of())));
    }
    new TreeMap<>(owned)
        .forEach(
            (key, etag) -> {
              if (!wanted.schedules().containsKey(key)) {
                changes.add(
                    new Change(
                        Resource.SCHEDULE, key, Optional.empty(), DryRunPreview.retirement(etag)));
              }
            });
    changes.sort( // stable: else in the documents' order
        Comparator.comparing((Change change) -> change.kind() == Kind.UNCHANGED)
            .thenComparing(Change::resource)
            .thenComparing(Change::kind));
    return new ApplyPlan(List.copyOf(changes));
  }

  private static List<Change> changes(
      Resource resource, Map<String, Document> wanted, Map<String, DryRunPreview> previews) {
    return wanted.entrySet().stream()
        .map(
            each ->
                new Change(
                    resource,
                    each.getKey(),
                    Optional.of(each.getValue()),
                    Optional.ofNullable(previews.get(each.getKey())).orElseThrow()))
        .toList();
  }

  List<Change> work() {
    return changes.stream().filter(change -> change.kind() != Kind.UNCHANGED).toList();
  }

  String summary() {
    return "%s to create, %s to change, %s to retire, %s unchanged"
        .formatted(
            count(Kind.CREATE), count(Kind.CHANGE), count(Kind.RETIRE), count(Kind.UNCHANGED));
  }

  private long count(Kind kind) {
    return changes.stream().filter(change -> change.kind() == kind).count();
  }

  void print(Output output) {
    for (Change change : work()) {
      output.line(output.word(change.kind().word(), 8) + "  " + TerminalText.line(change.name()));
      change.preview().print(output, "            ");
    }
    output.line("Plan: " + summary() + ".");
  }

  /** Return it for programs, with a mark on those that were left alone. */
  ObjectNode json(Set<Change> leftAlone) {
    ObjectNode json = Json.object();
    var list = json.putArray("plan");
    for (Change change : changes) {
      ObjectNode each = change.json();
      list.add(leftAlone.contains(change) ? each.put("changedInBetween", true) : each);
    }
    return json;
  }
}
