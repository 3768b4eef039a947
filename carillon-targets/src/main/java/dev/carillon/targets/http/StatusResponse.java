package dev.carillon.targets.http;

import dev.carillon.json.Json;
import dev.carillon.model.Failure;
import dev.carillon.target.Probe;
import dev.carillon.targets.SafeText;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the status of a run from the response of an endpoint; an unclear one is unknown. */
final class StatusResponse {
  static final Duration MAX_TIMEOUT = Duration.ofSeconds(20);
  private static final int MAX_CODE = 100;
  private static final int MAX_MESSAGE = 1_000;

  private StatusResponse() {}

  static Probe read(ExchangeResult reply, Redaction redaction) {
    if (!(reply instanceof ExchangeResult.Answered answered)
        || answered.response().status() != 200
        || !answered.response().whole()) {
      return Probe.unknown();
    }
    try {
      Map<String, @Nullable Object> fields =
          Json.readObject(redaction.hide(answered.response().body()));
      return switch (String.valueOf(fields.get("status"))) {
        case "succeeded" -> Probe.succeeded();
        case "failed" -> Probe.failed(failure(fields.get("failure")));
        case "running" -> Probe.running();
        default -> Probe.unknown();
      };
    } catch (IllegalArgumentException e) {
      return Probe.unknown();
    }
  }

  private static Failure failure(@Nullable Object value) {
    if (value instanceof Map<?, ?> failure && failure.get("code") instanceof String code) {
      Object message = failure.get("message");
      return Failure.of(
          SafeText.line(code, MAX_CODE),
          message instanceof String text ? SafeText.line(text, MAX_MESSAGE) : "");
    }
    return Failure.of("reported", "reported as failed");
  }
}
