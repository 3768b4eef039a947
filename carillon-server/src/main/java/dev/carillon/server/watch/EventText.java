package dev.carillon.server.watch;

import dev.carillon.json.Json;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.server.read.Texts;
import dev.carillon.store.Change;
import dev.carillon.store.ChangePlace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How events are written on the stream: never with a payload. */
final class EventText {
  /** Keeps the connection from being taken for dead. */
  static final String HEARTBEAT = ":\n\n";

  private EventText() {}

  /** Write only where the stream stands, so that it can be gone on from there. */
  static String place(ChangePlace place) {
    return "id: " + place + "\n\n";
  }

  static String of(Change change) {
    String event =
        change
            .run()
            .map(run -> event("run." + Texts.word(run.state()), of(run)))
            .or(() -> change.audit().map(entry -> event(entry.action(), of(entry))))
            .orElse("");
    return "id: " + change.place() + "\n" + event;
  }

  /** Write that a run was started; it has no place in the order, as it may still be undone. */
  static String started(Run run) {
    return event("run.started", of(run));
  }

  private static String event(String name, Map<String, @Nullable Object> data) {
    return "event: " + name + "\ndata: " + Json.write(data) + "\n\n";
  }

  private static Map<String, @Nullable Object> of(Run run) {
    var data = new LinkedHashMap<String, @Nullable Object>();
    data.put("id", run.id().toString());
    data.put("schedule", run.schedule().orElse(null));
    data.put("target", run.target());
    data.put("trigger", Texts.word(run.trigger()));
    data.put("slot", Texts.of(run.slot()));
    data.put("dueAt", Texts.of(run.dueAt()));
    data.put("startedAt", run.startedAt().map(Texts::of).orElse(null));
    data.put("finishedAt", run.finishedAt().map(Texts::of).orElse(null));
    data.put("state", Texts.word(run.state()));
    data.put("attempt", run.attempt());
    data.put("code", run.failure().map(Failure::code).orElse(null));
    data.put("reason", run.reason().orElse(null));
    return data;
  }

  private static Map<String, @Nullable Object> of(AuditEntry entry) {
    var data = new LinkedHashMap<String, @Nullable Object>();
    data.put("schedule", entry.schedule().orElse(null));
    data.put("at", Texts.of(entry.stamp().at()));
    data.put("actor", entry.stamp().by());
    data.put("details", entry.details());
    return data;
  }
}
