package dev.carillon.targets.http;

import dev.carillon.target.Outcome;
import dev.carillon.targets.workflow.Launch;
import dev.carillon.targets.workflow.WorkflowExecutor;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A workflow executor behind an HTTP endpoint, which receives the graph and its context. Any 2xx
 * response accepts the work.
 */
public final class HttpExecutor implements WorkflowExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(HttpExecutor.class);
  private static final List<String> ID_FIELDS = List.of("externalId", "run_id");

  private final HttpSender sender;
  private final HttpTargetSettings settings;
  private final HttpMessages messages;
  private final Redaction redaction;
  private final InstantSource time;
  private final BiConsumer<Launch, String> gone;

  /**
   * Create an executor.
   *
   * @param time the clock for signature timestamps
   * @param gone called with the launch and the reason, on a thread that may block, when the
   *     endpoint answers 410
   */
  public HttpExecutor(
      HttpSender sender,
      HttpTargetSettings settings,
      InstantSource time,
      BiConsumer<Launch, String> gone) {
    this.sender = sender;
    this.settings = settings;
    this.messages = new HttpMessages(settings);
    this.redaction = new Redaction(settings);
    this.time = time;
    this.gone = gone;
  }

  @Override
  public Runnable run(Launch launch, Consumer<Outcome> result) {
    Exchange exchange =
        sender.exchange(
            messages.of(launch, time.instant()),
            settings.timeout(),
            reply -> ended(reply, launch, result));
    exchange.send();
    return () -> exchange.abort("canceled");
  }

  private void ended(ExchangeResult reply, Launch launch, Consumer<Outcome> result) {
    result.accept(outcome(reply));
    if (reply.isGone()) {
      sender.runAsync(() -> reportGone(launch));
    }
  }

  private void reportGone(Launch launch) {
    try {
      gone.accept(launch, redaction.goneReason());
    } catch (RuntimeException e) {
      LOG.warn("{} answered 410, but its schedules could not be paused", redaction.call(), e);
    }
  }

  private Outcome outcome(ExchangeResult reply) {
    return reply instanceof ExchangeResult.Answered answered && answered.response().isSuccess()
        ? new Outcome.Accepted(
            redaction.hidden(answered.response()).externalId(ID_FIELDS), settings.reportTimeout())
        : reply.outcome(redaction, time.instant());
  }
}
