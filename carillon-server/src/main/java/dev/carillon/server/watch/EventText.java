package dev.carillon.server.watch;

import dev.carillon.json.Json;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.store.Change;
import dev.carillon.server.store.ChangePosition;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How events are written on the stream: never with a payload. */
final class EventText {
  /** Keeps the connection from being taken for dead. */
  static final String HEARTBEAT = ":\n\n";

  private EventText() {}

  /** Write only where the stream stands, so that it can be gone on from there. */
  static String place(ChangePosition place) {
    return "id: " + place + "\n\n";
  }

  static String of(Change change) {
    String event =
        change
            .run()
            .map(run -> event("run." + ContractText.word(run.state()), of(run)))
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
    data.put("trigger", ContractText.word(run.trigger()));
    data.put("slot", ContractText.of(run.slot()));
    data.put("dueAt", ContractText.of(run.dueAt()));
    data.put("startedAt", run.startedAt().map(ContractText::of).orElse(null));
    data.put("finishedAt", run.finishedAt().map(ContractText::of).orElse(null));
    data.put("state", ContractText.word(run.state()));
    data.put("attempt", run.attempt());
    data.put("code", run.failure().map(Failure::code).orElse(null));
    data.put("reason", run.reason().orElse(null));
    return data;
  }

  private static Map<String, @Nullable Object> of(AuditEntry entry) {
    var data = new LinkedHashMap<String, @Nullable Object>();
    data.put("schedule", entry.schedule().orElse(null));
    data.put("at", ContractText.of(entry.changedBy().at()));
    data.put("actor", entry.changedBy().by());
    data.put("details", entry.details());
    return data;
  }
}
