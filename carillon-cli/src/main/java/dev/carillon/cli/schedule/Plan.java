package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.schedule.Change.Kind;
import dev.carillon.cli.schedule.Change.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that applying some documents would change.
 *
 * @param changes in the order in which they are done
 */
record Plan(List<Change> changes) {

  /**
   * Make a plan.
   *
   * @param wanted the documents
   * @param targets what the server says each target would change, by label
   * @param schedules what the server says each schedule would change, by key
   * @param owned the keys of the schedules to retire unless a document names them
   */
  static Plan of(
      Definitions wanted,
      Map<String, Preview> targets,
      Map<String, Preview> schedules,
      Collection<String> owned) {
    var changes = new ArrayList<Change>();
    changes.addAll(changes(Resource.TARGET, wanted.targets(), targets));
    changes.addAll(changes(Resource.SCHEDULE, wanted.schedules(), schedules));
    var gone = new HashSet<>(owned);
    gone.removeAll(wanted.schedules().keySet());
    gone.stream()
        .sorted()
        .map(
            key ->
                new Change(
                    Kind.RETIRE, Resource.SCHEDULE, key, Optional.empty(), List.of(), List.of()))
        .forEach(changes::add);
    changes.sort( // stable: else in the documents' order
        Comparator.comparing((Change change) -> change.kind() == Kind.UNCHANGED)
            .thenComparing(Change::resource)
            .thenComparing(Change::kind));
    return new Plan(List.copyOf(changes));
  }

  private static List<Change> changes(
      Resource resource, Map<String, Document> wanted, Map<String, Preview> previews) {
    return wanted.entrySet().stream()
        .map(
            each -> {
              Preview preview = Optional.ofNullable(previews.get(each.getKey())).orElseThrow();
              return new Change(
                  preview.kind(),
                  resource,
                  each.getKey(),
                  Optional.of(each.getValue()),
                  preview.fields(),
                  preview.notes());
            })
        .toList();
  }

  /** Return what is to be done. */
  List<Change> work() {
    return changes.stream().filter(change -> change.kind() != Kind.UNCHANGED).toList();
  }

  /** Say in one line how much that is. */
  String summary() {
    return "%s to create, %s to change, %s to retire, %s unchanged"
        .formatted(
            count(Kind.CREATE), count(Kind.CHANGE), count(Kind.RETIRE), count(Kind.UNCHANGED));
  }

  private long count(Kind kind) {
    return changes.stream().filter(change -> change.kind() == kind).count();
  }

  /** Print it for people. */
  void print(Output output) {
    for (Change change : work()) {
      String word = change.kind().word();
      output.line(
          "%s%s  %s"
              .formatted(
                  output.word(word), " ".repeat(8 - word.length()), Plain.line(change.name())));
      change.fields().forEach(field -> output.line("            " + Plain.line(field.text())));
      change.notes().forEach(note -> output.line("            " + Plain.line(note)));
    }
    output.line("Plan: " + summary() + ".");
  }

  /** Return it for programs. */
  ObjectNode json() {
    ObjectNode json = Json.object();
    var list = json.putArray("plan");
    changes.forEach(change -> list.add(change.json()));
    return json;
  }
}
