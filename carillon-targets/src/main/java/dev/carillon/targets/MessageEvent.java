package dev.carillon.targets;

import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import dev.carillon.target.RunContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint is sent: that a schedule fired, for when, and with which payload.
 *
 * @param json the event as JSON
 */
public record MessageEvent(String json) {
  /** The type of every event that is a run. */
  public static final String TYPE = "schedule.fired";

  /** The type of a message that only asks whether an endpoint answers. */
  public static final String TEST_TYPE = "schedule.test";

  /** Describe one attempt of a run. */
  public static MessageEvent of(RunContext run) {
    var event = new LinkedHashMap<String, @Nullable Object>();
    event.put("id", run.idempotencyKey());
    event.put("type", TYPE);
    event.put("time", run.dueAt().toString());
    event.put("source", source(run.schedule()));
    event.put("slot", run.slot().toString());
    event.put("attempt", run.attempt());
    event.put("trigger", run.trigger().name().toLowerCase(Locale.ROOT));
    event.put("version", run.version());
    // The payload is JSON already; written again, it could be nested one level too deep.
    String head = Json.write(event);
    return new MessageEvent(
        head.substring(0, head.length() - 1) + ",\"payload\":" + run.payload().json() + "}");
  }

  /** Return where an event of the schedule with this key comes from. */
  public static Map<String, @Nullable Object> source(Optional<String> schedule) {
    var source = new LinkedHashMap<String, @Nullable Object>();
    source.put("channel", "scheduler");
    source.put("connector_id", schedule.orElse(null));
    return source;
  }

  /** Describe a message that is no run: it only asks whether an endpoint answers. */
  public static MessageEvent test(String id, Instant now, Payload payload) {
    var event = new LinkedHashMap<String, @Nullable Object>();
    event.put("id", id);
    event.put("type", TEST_TYPE);
    event.put("time", now.toString());
    event.put("source", source(Optional.empty()));
    String head = Json.write(event);
    return new MessageEvent(
        head.substring(0, head.length() - 1) + ",\"payload\":" + payload.json() + "}");
  }

  /** Return the body of the request. */
  public byte[] bytes() {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
