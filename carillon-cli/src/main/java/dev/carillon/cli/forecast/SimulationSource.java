package dev.carillon.cli.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.ScheduleDraft;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.schedule.Definition;
import dev.carillon.cli.schedule.Definitions;
import dev.carillon.json.JsonException;
import dev.carillon.model.Pause;
import dev.carillon.server.ScheduleDocument;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the schedules of a simulation come from: files, or the server. */
record SimulationSource(Session session) {
  private static final int MAX_SCHEDULES = 10_000;

  /** A schedule, and the pause it is in or that is to come. */
  record Entry(ScheduleDraft draft, Optional<Pause> pause, Named named) {}

  /** The calendars and the quiet hours that a schedule names. */
  record Named(List<String> calendars, Optional<String> quietHours) {
    private static final List<String> CALENDARS =
        List.of(
            "/calendar/name",
            "/timing/calendar",
            "/deadline/calendar",
            "/timeoutCalendar",
            "/retry/calendar");

    static Named of(JsonNode schedule) {
      return new Named(
          CALENDARS.stream()
              .map(pointer -> Json.text(schedule, pointer))
              .filter(name -> !name.isEmpty())
              .toList(),
          Optional.of(Json.text(schedule, "/quietHours")).filter(name -> !name.isEmpty()));
    }
  }

  /** Schedules, and the calendars and quiet hours that count for them. */
  record Input(List<Entry> entries, ServerRules rules) {}

  Input read(List<String> sources) {
    if (sources.isEmpty()) {
      List<Entry> entries = ofServer();
      return new Input(entries, ServerRules.read(session, calendars(entries)));
    }
    return ofFiles(sources);
  }

  private static Set<String> calendars(List<Entry> entries) {
    return entries.stream()
        .flatMap(entry -> entry.named.calendars.stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /* What files define counts; the server is asked only for what they name and do not define. */
  private ServerRules rules(FileRules files, List<Entry> entries) {
    Set<String> calendars = calendars(entries);
    calendars.addAll(files.parts());
    calendars.removeAll(files.calendars().keySet());
    boolean known =
        entries.stream()
            .flatMap(entry -> entry.named.quietHours.stream())
            .allMatch(files.quietHours()::containsKey);
    return files.over(
        known && calendars.isEmpty() ? ServerRules.NONE : ServerRules.read(session, calendars));
  }

  private Input ofFiles(List<String> sources) {
    try {
      Definitions definitions = Definitions.read(session.environment(), sources);
      if (definitions.schedules().isEmpty()) {
        throw Session.wrong("there is no schedule in %s", String.join(", ", sources));
      }
      var mistakes = new ArrayList<String>();
      FileRules rules = FileRules.read(definitions, mistakes::add);
      var entries = new ArrayList<Entry>();
      definitions
          .schedules()
          .forEach(
              (key, document) -> {
                ScheduleDocument read = read(key, document.body());
                read.draft()
                    .ifPresent(
                        draft ->
                            entries.add(
                                new Entry(draft, Optional.empty(), Named.of(document.body()))));
                read.mistakes()
                    .forEach(
                        mistake ->
                            mistakes.add(
                                document.place(mistake.pointer()) + ": " + mistake.message()));
              });
      refuse(mistakes);
      return new Input(entries, rules(rules, entries));
    } catch (UnreadableException e) {
      throw new CommandFailure(Exit.USAGE, e);
    }
  }

  private static void refuse(List<String> mistakes) {
    if (!mistakes.isEmpty()) {
      throw new CommandFailure(
          Exit.USAGE,
          "nothing was simulated: %s\n  %s"
              .formatted(
                  CountText.of(mistakes.size(), "mistake", "mistakes"),
                  String.join("\n  ", mistakes)));
    }
  }

  private static ScheduleDocument read(String key, JsonNode body) {
    try {
      return ScheduleDocument.read(key, dev.carillon.json.Json.readObject(Json.write(body)));
    } catch (JsonException e) {
      var mistake = new ScheduleDocument.Mistake("", String.valueOf(e.getMessage()));
      return new ScheduleDocument(Optional.empty(), List.of(mistake));
    }
  }

  private List<Entry> ofServer() {
    Listing listing = Listing.of(session.client(), Call.get("schedules"), MAX_SCHEDULES);
    if (listing.more()) {
      session.note(
          "warning: only the first %s schedules are looked at; put others into files and use -f"
              .formatted(MAX_SCHEDULES));
    }
    var entries = new ArrayList<Entry>();
    for (JsonNode schedule : listing.items()) {
      String key = Json.text(schedule, "/key");
      ScheduleDocument read = read(key, Definition.of(schedule));
      read.draft()
          .ifPresent(draft -> entries.add(new Entry(draft, pause(schedule), Named.of(schedule))));
      read.mistakes()
          .forEach(
              mistake ->
                  session.note(
                      "warning: %s is left out: %s"
                          .formatted(TerminalText.line(key), mistake.message())));
    }
    return entries;
  }

  private static Optional<Pause> pause(JsonNode schedule) {
    if (Json.text(schedule, "/status").equals("paused")) {
      return Optional.of(
          new Pause(reason(schedule, "/pauseReason"), Json.instant(schedule, "/pausedUntil")));
    }
    return Json.instant(schedule, "/comingPause/from")
        .map(
            from ->
                new Pause(
                    reason(schedule, "/comingPause/reason"),
                    Optional.of(from),
                    Json.instant(schedule, "/comingPause/until")));
  }

  private static String reason(JsonNode schedule, String pointer) {
    String reason = Json.text(schedule, pointer);
    return reason.isBlank() ? "paused" : reason;
  }
}
