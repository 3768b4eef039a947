package dev.carillon.targets;

import dev.carillon.model.Payload;
import dev.carillon.target.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How an endpoint took one message that is no run: sent and signed as runs are, through the same
 * guard, and tried once.
 *
 * @param outcome what the answer would mean for a run
 * @param status the HTTP status, if there was an answer
 * @param took how long that took
 */
public record TestDelivery(Outcome outcome, Optional<Integer> status, Duration took) {
  /** The longest time an answer is waited for. */
  public static final Duration LONGEST = Duration.ofSeconds(30);

  /**
   * Send a message and tell once what came of it, on a thread that must not be blocked.
   *
   * @param id what the message is known by, for no other message
   */
  public static void send(
      HttpSender sender,
      HttpTargetSettings settings,
      String id,
      Payload payload,
      Instant now,
      Consumer<TestDelivery> done) {
    WebhookSignature signature =
        settings.secrets().isEmpty() ? null : WebhookSignature.of(settings.secrets());
    HttpMessage message =
        HttpMessage.test(settings, signature, id, MessageEvent.test(id, now, payload), now);
    Duration patience = settings.timeout().compareTo(LONGEST) < 0 ? settings.timeout() : LONGEST;
    long begun = System.nanoTime();
    sender
        .exchange(
            message,
            patience,
            reply ->
                done.accept(of(reply, settings, now, Duration.ofNanos(System.nanoTime() - begun))))
        .send();
  }

  private static TestDelivery of(
      Reply reply, HttpTargetSettings settings, Instant now, Duration took) {
    var discretion = new Discretion(settings);
    if (reply instanceof Reply.Broken broken) {
      return new TestDelivery(
          Trouble.outcome(broken.cause(), discretion.call()), Optional.empty(), took);
    }
    Answer answer = ((Reply.Answered) reply).answer();
    return new TestDelivery(
        AnswerRules.outcome(answer, discretion.call(), discretion.details(answer), now),
        Optional.of(answer.status()),
        took);
  }
}
