package dev.carillon.targets.http;

import dev.carillon.json.Json;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.target.Probe;
import dev.carillon.targets.SafeText;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Queries an endpoint for the status of a run; an unclear response counts as unknown. */
final class StatusQuery {
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(20);
  private static final int MAX_CODE = 100;
  private static final int MAX_MESSAGE = 1_000;

  private final HttpSender sender;
  private final HttpTargetSettings settings;
  private final @Nullable WebhookSignature signature;
  private final InstantSource time;

  StatusQuery(
      HttpSender sender,
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      InstantSource time) {
    this.sender = sender;
    this.settings = settings;
    this.signature = signature;
    this.time = time;
  }

  /** Query the status of {@code run} and pass it to {@code result} once. */
  void ask(URI statusUrl, Run run, Consumer<Probe> result) {
    Duration timeout =
        settings.timeout().compareTo(MAX_TIMEOUT) < 0 ? settings.timeout() : MAX_TIMEOUT;
    HttpMessage query =
        HttpMessage.statusQuery(settings, signature, statusUrl, run, time.instant());
    sender.exchange(query, timeout, reply -> result.accept(read(reply))).send();
  }

  static Probe read(ExchangeResult reply) {
    if (!(reply instanceof ExchangeResult.Answered answered)
        || answered.response().status() != 200
        || !answered.response().whole()) {
      return Probe.unknown();
    }
    try {
      Map<String, @Nullable Object> fields = Json.readObject(answered.response().body());
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
