package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.bench.Progress;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Has the server check documents one by one, and gathers what is wrong with them.
 *
 * @param mistakes where that is put, each with its place
 */
record Previews(Session session, List<String> mistakes) {
  /* A target that every server has, in place of one that is yet to be created. */
  private static final String PLACEHOLDER_TARGET = "noop";

  Map<String, DryRunPreview> ofTargets(Map<String, Document> wanted) {
    return each(
        wanted,
        (label, document) ->
            DryRunPreview.ask(
                session.client(), Call.put("targets", label).sending(document.body())));
  }

  /** Check schedules, whose targets may be among those to be created. */
  Map<String, DryRunPreview> ofSchedules(
      Map<String, Document> wanted, Map<String, DryRunPreview> targets) {
    Set<String> coming =
        targets.entrySet().stream()
            .filter(target -> target.getValue().kind() == Change.Kind.CREATE)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    return each(wanted, (key, document) -> schedule(key, document, coming));
  }

  private DryRunPreview schedule(String key, Document document, Set<String> coming) {
    String target = Json.text(document.body(), "/target");
    boolean early = coming.contains(target);
    JsonNode body =
        early && document.body() instanceof ObjectNode schedule
            ? schedule.deepCopy().put("target", PLACEHOLDER_TARGET)
            : document.body();
    DryRunPreview preview =
        DryRunPreview.ask(session.client(), Call.put("schedules", key).sending(body));
    return early ? preview.withTarget(target) : preview;
  }

  private Map<String, DryRunPreview> each(
      Map<String, Document> wanted, BiFunction<String, Document, DryRunPreview> check) {
    var previews = new LinkedHashMap<String, DryRunPreview>();
    Progress progress = session.progress();
    wanted.forEach(
        (name, document) -> {
          progress.quietly(
              (double) previews.size() / wanted.size(), "checking " + TerminalText.line(name));
          try {
            previews.put(name, check.apply(name, document));
          } catch (RefusedException e) {
            if (e.exitCode() != Exit.USAGE) {
              progress.clear();
              throw e;
            }
            mistakes.addAll(mistakes(document, e));
          }
        });
    progress.clear();
    return previews;
  }

  static List<String> mistakes(Document document, RefusedException refused) {
    return refused.faults().isEmpty()
        ? List.of(document.place() + ": " + refused.getMessage())
        : refused.faults().stream()
            .map(fault -> document.place(fault.pointer()) + ": " + fault.message())
            .toList();
  }
}
