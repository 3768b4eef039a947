package dev.carillon.targets.http;

import dev.carillon.model.Payload;
import dev.carillon.target.Outcome;
import dev.carillon.template.TemplateException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The result of one test message to an endpoint, sent and signed like a run, through the same
 * guard, and tried once.
 *
 * @param outcome the outcome that the response would mean for a run
 * @param status the HTTP status, if there was a response
 * @param took the duration of the request
 */
public record TestDelivery(Outcome outcome, Optional<Integer> status, Duration took) {
  /** The longest time to wait for a response. */
  public static final Duration MAX_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Send a test message; {@code done} is called once, on a thread that must not block.
   *
   * @param id the unique id of the message
   */
  public static void send(
      HttpSender sender,
      HttpTargetSettings settings,
      String id,
      Payload payload,
      Instant now,
      Consumer<TestDelivery> done) {
    long startedNanos = System.nanoTime();
    var messages = new HttpMessages(settings);
    MessageParts parts;
    try {
      parts = messages.parts(() -> MessageTemplate.testValues(id, now), () -> payload);
    } catch (TemplateException e) {
      Outcome outcome = Outcome.failedPermanently(e.failure());
      done.accept(new TestDelivery(outcome, Optional.empty(), Duration.ZERO));
      return;
    }
    sender
        .exchange(
            messages.test(id, MessageEvent.test(id, now, payload), parts, now),
            settings.timeoutUpTo(MAX_TIMEOUT),
            reply ->
                done.accept(
                    new TestDelivery(
                        reply.outcome(new Redaction(settings), now),
                        reply.status(),
                        Duration.ofNanos(System.nanoTime() - startedNanos))))
        .send();
  }
}
