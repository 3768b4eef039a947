package dev.carillon.targets;

import dev.carillon.target.Outcome;
import dev.carillon.targets.workflow.Executor;
import dev.carillon.targets.workflow.Launch;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An executor behind an HTTP endpoint, which is sent the graph and its context. Whatever 2xx it
 * answers, it has accepted the work and will report how it ended.
 */
public final class HttpExecutor implements Executor {
  private static final List<String> NAMES_OF_ID = List.of("externalId", "run_id");

  private final HttpSender sender;
  private final HttpTargetSettings settings;
  private final @Nullable WebhookSignature signature;
  private final Discretion discretion;
  private final InstantSource time;

  /**
   * Describe an executor.
   *
   * @param time what signatures are dated by
   */
  public HttpExecutor(HttpSender sender, HttpTargetSettings settings, InstantSource time) {
    this.sender = sender;
    this.settings = settings;
    this.signature = settings.secrets().isEmpty() ? null : WebhookSignature.of(settings.secrets());
    this.discretion = new Discretion(settings);
    this.time = time;
  }

  @Override
  public Runnable run(Launch launch, Consumer<Outcome> told) {
    Exchange exchange =
        sender.exchange(
            HttpMessage.of(settings, signature, launch, time.instant()),
            settings.timeout(),
            reply -> told.accept(outcome(reply)));
    exchange.send();
    return () -> exchange.abort("given up");
  }

  private Outcome outcome(Reply reply) {
    if (reply instanceof Reply.Broken broken) {
      return Trouble.outcome(broken.cause(), discretion.call());
    }
    Answer answer = ((Reply.Answered) reply).answer();
    return answer.status() >= 200 && answer.status() < 300
        ? answer.externalId(NAMES_OF_ID).map(Outcome::accepted).orElseGet(Outcome::accepted)
        : AnswerRules.outcome(
            answer, discretion.call(), discretion.details(answer), time.instant());
  }
}
