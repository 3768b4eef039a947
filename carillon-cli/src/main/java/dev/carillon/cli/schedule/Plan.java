package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.schedule.Change.Kind;
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
   * @param wanted the documents by key, in their order
   * @param previews what the server says each would change, by key
   * @param owned the keys of the schedules to retire unless a document names them
   */
  static Plan of(
      Map<String, Document> wanted, Map<String, Preview> previews, Collection<String> owned) {
    var changes = new ArrayList<Change>();
    wanted.forEach(
        (key, document) -> {
          Preview preview = Optional.ofNullable(previews.get(key)).orElseThrow();
          changes.add(
              new Change(
                  preview.kind(), key, Optional.of(document), preview.fields(), preview.notes()));
        });
    var gone = new HashSet<>(owned);
    gone.removeAll(wanted.keySet());
    gone.stream()
        .sorted()
        .map(key -> new Change(Kind.RETIRE, key, Optional.empty(), List.of(), List.of()))
        .forEach(changes::add);
    changes.sort(Comparator.comparing(Change::kind)); // stable: else in the documents' order
    return new Plan(List.copyOf(changes));
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
                  output.word(word), " ".repeat(8 - word.length()), Plain.line(change.key())));
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
