package dev.carillon.targets;

import dev.carillon.json.Json;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.target.Probe;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks an endpoint what became of a run. Whatever is no clear answer is not knowing. */
final class StatusQuestion {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int LONGEST_CODE = 100;
  private static final int LONGEST_MESSAGE = 1_000;

  private final HttpSender sender;
  private final HttpTargetSettings settings;
  private final @Nullable WebhookSignature signature;
  private final InstantSource time;

  StatusQuestion(
      HttpSender sender,
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      InstantSource time) {
    this.sender = sender;
    this.settings = settings;
    this.signature = signature;
    this.time = time;
  }

  /** Ask about {@code run}, and tell once what is known. */
  void ask(URI statusUrl, Run run, Consumer<Probe> told) {
    Duration timeout = settings.timeout().compareTo(PATIENCE) < 0 ? settings.timeout() : PATIENCE;
    HttpMessage question =
        HttpMessage.question(settings, signature, statusUrl, run, time.instant());
    sender.exchange(question, timeout, reply -> told.accept(read(reply))).send();
  }

  static Probe read(Reply reply) {
    if (!(reply instanceof Reply.Answered answered)
        || answered.answer().status() != 200
        || !answered.answer().whole()) {
      return Probe.unknown();
    }
    try {
      Map<String, @Nullable Object> said = Json.readObject(answered.answer().body());
      return switch (String.valueOf(said.get("status"))) {
        case "succeeded" -> Probe.succeeded();
        case "failed" -> Probe.failed(failure(said.get("failure")));
        case "running" -> Probe.running();
        default -> Probe.unknown();
      };
    } catch (IllegalArgumentException e) {
      return Probe.unknown();
    }
  }

  private static Failure failure(@Nullable Object said) {
    if (said instanceof Map<?, ?> failure && failure.get("code") instanceof String code) {
      Object message = failure.get("message");
      return Failure.of(
          Printable.line(code, LONGEST_CODE),
          message instanceof String text ? Printable.line(text, LONGEST_MESSAGE) : "");
    }
    return Failure.of("reported", "reported as failed");
  }
}
