package dev.carillon.store.run;

import dev.carillon.json.Json;
import dev.carillon.model.Attempt;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.Overlap;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads live and finished runs from rows, and their attempts from JSON. */
public final class RunRows {
  private RunRows() {}

  /** Read a row of the view {@code any_run}, or one with the same columns. */
  public static Run toRun(Row row) {
    return new Run(
        toId(row),
        row.optionalText("key"),
        row.integer("version"),
        row.constant("trigger", Trigger.class),
        row.text("target"),
        row.optionalJson("payload").map(Payload::stored).orElse(Payload.EMPTY),
        row.instant("due_at"),
        row.constant("state", RunState.class),
        row.integer("attempt"),
        row.optionalUuid("node_id"),
        row.optionalInstant("started_at"),
        row.optionalInstant("finished_at"),
        row.optionalText("failure_code")
            .map(
                code ->
                    new Failure(
                        code,
                        row.optionalText("failure_message").orElse(""),
                        row.optionalText("failure_details"))),
        row.optionalText("reason"),
        row.optionalText("progress"),
        row.optionalText("correlation"),
        row.optionalText("external_id"),
        row.optionalText("overlap").map(RunPolicyJson::readOverlap).orElse(Overlap.ALLOW),
        RunPolicyJson.read(row.optionalText("policy")),
        row.optionalText("attempts").map(RunRows::readAttempts).orElse(List.of()),
        Optional.empty());
  }

  public static RunId toId(Row row) {
    return new RunId(row.number("schedule_id"), row.instant("slot"), row.integer("ordinal"));
  }

  static String write(Attempt attempt) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("number", attempt.number());
    json.put("state", EnumText.of(attempt.state()));
    json.put("node", attempt.node().map(UUID::toString).orElse(null));
    json.put("startedAt", attempt.startedAt().toString());
    json.put("finishedAt", attempt.finishedAt().toString());
    json.put("nextAt", attempt.nextAt().map(Instant::toString).orElse(null));
    json.put("code", attempt.failure().code());
    json.put("message", attempt.failure().message());
    return Json.write(json);
  }

  private static List<Attempt> readAttempts(String text) {
    var attempts = new ArrayList<Attempt>();
    if (Json.read(text) instanceof List<?> list) {
      for (Object item : list) {
        if (item instanceof Map<?, ?> map) {
          attempts.add(readAttempt(map));
        }
      }
    }
    return attempts;
  }

  private static Attempt readAttempt(Map<?, ?> json) {
    return new Attempt(
        ((Number) Objects.requireNonNull(json.get("number"))).intValue(),
        json.get("state") instanceof String state
            ? EnumText.read(RunState.class, state)
            : RunState.FAILED, // older records do not say
        Optional.ofNullable(json.get("node")).map(node -> UUID.fromString((String) node)),
        Instant.parse(text(json, "startedAt")),
        Instant.parse(text(json, "finishedAt")),
        json.get("nextAt") instanceof String next
            ? Optional.of(Instant.parse(next))
            : Optional.empty(),
        Failure.of(text(json, "code"), text(json, "message")));
  }

  private static String text(Map<?, ?> json, String name) {
    return (String) Objects.requireNonNull(json.get(name));
  }
}
