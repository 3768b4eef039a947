package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.bench.Progress;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Count;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.Documents;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.Session;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Schedules in files, and what they would change. */
final class DefinitionFiles {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      required = true,
      description =
          "YAML or JSON with one or more schedules; a folder with such files; or - for stdin."
              + " Can be repeated.")
  private List<String> sources = List.of();

  @Option(
      names = "--prune",
      paramLabel = "TAG",
      description =
          "Also retire the schedules with this tag that are in none of the files; those in the"
              + " files must have it.")
  private @Nullable String prune;

  /** Read the files, have the server check all of them, and say what they would change. */
  Plan plan(Session session) {
    Given.filled("--prune", prune);
    Map<String, Document> wanted = read(session);
    wanted.replaceAll((key, document) -> AppliedDelay.settled(session.client(), key, document));
    Map<String, Preview> previews = previews(session, wanted);
    return Plan.of(wanted, previews, prune == null ? List.of() : owned(session, prune));
  }

  private Map<String, Document> read(Session session) {
    try {
      var wanted = new LinkedHashMap<String, Document>();
      for (Document document : new Documents(session.surroundings()).read(sources)) {
        String key = Documents.required(document, "key");
        Document other = wanted.putIfAbsent(key, document);
        if (other != null) {
          throw Session.wrong(
              "%s: '%s' is also defined at %s; keep one", document.place(), key, other.place());
        }
        checkTag(document, key);
      }
      if (wanted.isEmpty()) {
        throw Session.wrong("there is no schedule in %s", String.join(", ", sources));
      }
      return wanted;
    } catch (UnreadableException e) {
      throw new CommandFailure(Exit.USAGE, e);
    }
  }

  /* Otherwise a schedule that is taken out of the files would stay for ever. */
  private void checkTag(Document document, String key) {
    if (prune == null) {
      return;
    }
    for (JsonNode tag : document.body().path("tags")) {
      if (tag.asText().equals(prune)) {
        return;
      }
    }
    throw Session.wrong(
        "%s: '%s' has no tag '%s'; with --prune, every schedule in the files needs it",
        document.place("/tags"), key, prune);
  }

  private static Map<String, Preview> previews(Session session, Map<String, Document> wanted) {
    var previews = new LinkedHashMap<String, Preview>();
    var mistakes = new ArrayList<String>();
    Progress progress = session.progress();
    wanted.forEach(
        (key, document) -> {
          progress.quietly((double) previews.size() / wanted.size(), "checking " + Plain.line(key));
          try {
            previews.put(
                key,
                Preview.ask(session.client(), Call.put("schedules", key).sending(document.body())));
          } catch (RefusedException e) {
            if (e.exitCode() != Exit.USAGE) {
              throw e;
            }
            mistakes.addAll(mistakes(document, e));
          }
        });
    progress.clear();
    if (!mistakes.isEmpty()) {
      throw new CommandFailure(
          Exit.USAGE,
          "nothing was changed: %s\n  %s"
              .formatted(
                  Count.of(mistakes.size(), "mistake", "mistakes"), String.join("\n  ", mistakes)));
    }
    return previews;
  }

  static List<String> mistakes(Document document, RefusedException refused) {
    return refused.faults().isEmpty()
        ? List.of(document.place() + ": " + refused.getMessage())
        : refused.faults().stream()
            .map(fault -> document.place(fault.pointer()) + ": " + fault.message())
            .toList();
  }

  private static List<String> owned(Session session, String tag) {
    Call call = Call.get("schedules").with("tag", tag);
    var keys = new ArrayList<String>();
    for (JsonNode schedule : Listing.of(session.client(), call, Integer.MAX_VALUE).items()) {
      if (!Json.text(schedule, "/status").equals("retired")) {
        keys.add(Json.text(schedule, "/key"));
      }
    }
    return keys;
  }
}
