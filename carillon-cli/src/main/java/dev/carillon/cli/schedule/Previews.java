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
import dev.carillon.cli.schedule.Change.Resource;
import java.util.EnumMap;
import java.util.HashSet;
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

  /** Check all documents, which may name others that are to be created with them. */
  Map<Resource, Map<String, DryRunPreview>> of(Definitions wanted) {
    var previews = new EnumMap<Resource, Map<String, DryRunPreview>>(Resource.class);
    for (Resource resource : Resource.values()) {
      var coming =
          new ComingRules(
              created(previews, Resource.CALENDAR), created(previews, Resource.QUIET_HOURS));
      previews.put(
          resource,
          switch (resource) {
            case TARGET, QUIET_HOURS ->
                each(wanted.of(resource), (name, document) -> ask(resource, name, document.body()));
            case CALENDAR -> ofCalendars(wanted.calendars());
            case SCHEDULE ->
                each(
                    wanted.schedules(),
                    (key, document) ->
                        schedule(key, document, created(previews, Resource.TARGET), coming));
          });
    }
    return previews;
  }

  private static Set<String> created(
      Map<Resource, Map<String, DryRunPreview>> previews, Resource resource) {
    return created(previews.getOrDefault(resource, Map.of()));
  }

  private static Set<String> created(Map<String, DryRunPreview> previews) {
    return previews.entrySet().stream()
        .filter(one -> one.getValue().kind() == Change.Kind.CREATE)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private DryRunPreview ask(Resource resource, String name, JsonNode body) {
    return DryRunPreview.ask(session.client(), Call.put(resource.path(), name).sending(body));
  }

  /* Those that combine others come last. */
  private Map<String, DryRunPreview> ofCalendars(Map<String, Document> wanted) {
    var created = new HashSet<String>();
    return each(
        wanted,
        (name, document) -> {
          var coming = new ComingRules(created, Set.of());
          DryRunPreview preview =
              coming.restored(
                  document.body(),
                  ask(Resource.CALENDAR, name, coming.withoutParts(document.body())));
          if (preview.kind() == Change.Kind.CREATE) {
            created.add(name);
          }
          return preview;
        });
  }

  private DryRunPreview schedule(
      String key, Document document, Set<String> targets, ComingRules rules) {
    String target = Json.text(document.body(), "/target");
    boolean early = targets.contains(target);
    JsonNode known = rules.without(key, document, mistakes);
    JsonNode body =
        early && known instanceof ObjectNode schedule
            ? schedule.deepCopy().put("target", PLACEHOLDER_TARGET)
            : known;
    DryRunPreview preview = rules.restored(document.body(), ask(Resource.SCHEDULE, key, body));
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
