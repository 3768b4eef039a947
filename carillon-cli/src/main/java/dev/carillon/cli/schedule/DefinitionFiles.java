package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.schedule.Change.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Schedules in files, and what they would change. */
final class DefinitionFiles {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      required = true,
      description =
          "YAML or JSON with schedules, targets, calendars and quiet hours; a folder with such files;"
              + " or - for stdin."
              + " Can be repeated.")
  private List<String> sources = List.of();

  @Option(
      names = "--prune",
      paramLabel = "TAG",
      description =
          "Also retire the schedules with this tag that are in none of the files; those in the"
              + " files must have it. Nothing else is ever deleted.")
  private @Nullable String prune;

  /** Read the files, have the server check all of them, and say what they would change. */
  ApplyPlan plan(Session session) {
    OptionValues.filled("--prune", prune);
    Definitions wanted = read(session);
    wanted
        .schedules()
        .replaceAll((key, document) -> AppliedDelay.settled(session.client(), key, document));
    Map<String, String> owned = prune == null ? Map.of() : owned(session, prune);
    var mistakes = new ArrayList<String>();
    var previews = new Previews(session, mistakes);
    Map<Resource, Map<String, DryRunPreview>> checked = previews.of(wanted);
    if (!mistakes.isEmpty()) {
      throw new CommandFailure(
          Exit.USAGE,
          "nothing was changed: %s\n  %s"
              .formatted(
                  CountText.of(mistakes.size(), "mistake", "mistakes"),
                  String.join("\n  ", mistakes)));
    }
    return ApplyPlan.of(wanted, checked, owned);
  }

  private Definitions read(Session session) {
    try {
      Definitions wanted = Definitions.read(session.environment(), sources);
      if (Stream.of(Resource.values()).allMatch(one -> wanted.of(one).isEmpty())) {
        throw Session.wrong("there is no schedule in %s", String.join(", ", sources));
      }
      wanted.schedules().forEach((key, document) -> checkTag(document, key));
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

  /* The ETags, by key, of the schedules with this tag that may still fire. */
  private static Map<String, String> owned(Session session, String tag) {
    Call call = Call.get("schedules").with("tag", tag);
    var etags = new HashMap<String, String>();
    for (JsonNode schedule : Listing.of(session.client(), call, Integer.MAX_VALUE).items()) {
      if (!Json.text(schedule, "/status").matches("retired|completed")) {
        etags.put(Json.text(schedule, "/key"), "\"%s\"".formatted(Json.text(schedule, "/version")));
      }
    }
    return etags;
  }
}
