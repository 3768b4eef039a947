package dev.carillon.targets;

import dev.carillon.target.Outcome;
import dev.carillon.targets.workflow.Executor;
import dev.carillon.targets.workflow.Launch;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor behind an HTTP endpoint, which is sent the graph and its context. Whatever 2xx it
 * answers, it has accepted the work.
 */
public final class HttpExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(HttpExecutor.class);
  private static final List<String> NAMES_OF_ID = List.of("externalId", "run_id");

  private final HttpSender sender;
  private final HttpTargetSettings settings;
  private final @Nullable WebhookSignature signature;
  private final Discretion discretion;
  private final InstantSource time;
  private final BiConsumer<Launch, String> gone;

  /**
   * Describe an executor.
   *
   * @param time what signatures are dated by
   * @param gone told of a launch, on a thread that may block, and in words, when the executor wants
   *     no more of them
   */
  public HttpExecutor(
      HttpSender sender,
      HttpTargetSettings settings,
      InstantSource time,
      BiConsumer<Launch, String> gone) {
    this.sender = sender;
    this.settings = settings;
    this.signature = settings.secrets().isEmpty() ? null : WebhookSignature.of(settings.secrets());
    this.discretion = new Discretion(settings);
    this.time = time;
    this.gone = gone;
  }

  @Override
  public Runnable run(Launch launch, Consumer<Outcome> told) {
    Exchange exchange =
        sender.exchange(
            HttpMessage.of(settings, signature, launch, time.instant()),
            settings.timeout(),
            reply -> ended(reply, launch, told));
    exchange.send();
    return () -> exchange.abort("given up");
  }

  private void ended(Reply reply, Launch launch, Consumer<Outcome> told) {
    told.accept(outcome(reply));
    if (reply instanceof Reply.Answered answered
        && answered.answer().status() == AnswerRules.GONE) {
      sender.aside(() -> tell(launch));
    }
  }

  private void tell(Launch launch) {
    try {
      gone.accept(launch, discretion.gone());
    } catch (RuntimeException e) {
      LOG.warn("nobody could be told that {} is gone; schedules go on", discretion.call(), e);
    }
  }

  private Outcome outcome(Reply reply) {
    if (reply instanceof Reply.Broken broken) {
      return Trouble.outcome(broken.cause(), discretion.call());
    }
    Answer answer = ((Reply.Answered) reply).answer();
    return answer.status() >= 200 && answer.status() < 300
        ? new Outcome.Accepted(answer.externalId(NAMES_OF_ID), settings.reportTimeout())
        : AnswerRules.outcome(
            answer, discretion.call(), discretion.details(answer), time.instant());
  }
}
