package dev.carillon.targets.http;

import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import dev.carillon.target.RunContext;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The event that an endpoint receives: which schedule fired, for which slot, with which payload.
 *
 * @param json the event as JSON
 */
public record MessageEvent(String json) {
  /** The type of the event of a run. */
  public static final String TYPE = "schedule.fired";

  /** The type of a test message, which only checks that an endpoint answers. */
  public static final String TEST_TYPE = "schedule.test";

  /** Create the event for one attempt of a run. */
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
    return withPayload(event, run.payload());
  }

  /** Return the field {@code source} of an event of the schedule with this key. */
  public static Map<String, @Nullable Object> source(Optional<String> schedule) {
    var source = new LinkedHashMap<String, @Nullable Object>();
    source.put("channel", "scheduler");
    source.put("connector_id", schedule.orElse(null));
    return source;
  }

  /** Create the event of a test message, which belongs to no run. */
  public static MessageEvent test(String id, Instant now, Payload payload) {
    var event = new LinkedHashMap<String, @Nullable Object>();
    event.put("id", id);
    event.put("type", TEST_TYPE);
    event.put("time", now.toString());
    event.put("source", source(Optional.empty()));
    return withPayload(event, payload);
  }

  /* Appended as text, since Json.write may find the deepest payloads nested too deep. */
  private static MessageEvent withPayload(Map<String, @Nullable Object> event, Payload payload) {
    String head = Json.write(event);
    return new MessageEvent(
        head.substring(0, head.length() - 1) + ",\"payload\":" + payload.json() + "}");
  }
}
