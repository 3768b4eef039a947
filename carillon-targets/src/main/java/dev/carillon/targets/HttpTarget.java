package dev.carillon.targets;

import dev.carillon.model.Run;
import dev.carillon.target.Outcome;
import dev.carillon.target.Probe;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each run as a signed message to an HTTP endpoint, whose answer is the outcome. No thread
 * waits for it.
 */
public final class HttpTarget implements Target {
  private static final Logger LOG = LoggerFactory.getLogger(HttpTarget.class);

  private final HttpSender sender;
  private final HttpTargetSettings settings;
  private final @Nullable WebhookSignature signature;
  private final Discretion discretion;
  private final InstantSource time;
  private final Consumer<Gone> gone;

  /**
   * Describe an endpoint.
   *
   * @param time what signatures are dated by
   * @param gone told, on a thread that may block, when the endpoint wants no more messages
   */
  public HttpTarget(
      HttpSender sender, HttpTargetSettings settings, InstantSource time, Consumer<Gone> gone) {
    this.sender = sender;
    this.settings = settings;
    this.signature = settings.secrets().isEmpty() ? null : WebhookSignature.of(settings.secrets());
    this.discretion = new Discretion(settings);
    this.time = time;
    this.gone = gone;
  }

  /** Return what was said about the endpoint. */
  public HttpTargetSettings settings() {
    return settings;
  }

  @Override
  public void start(RunContext run, Consumer<Outcome> done) {
    var launch =
        new HttpLaunch(
            sender,
            () -> HttpMessage.of(settings, signature, run, time.instant()),
            settings.timeout(),
            reply -> ended(reply, run, done),
            done);
    run.onStop(launch::stop);
    launch.start();
  }

  @Override
  public boolean probes() {
    return settings.statusUrl().isPresent();
  }

  @Override
  public void probe(Run run, Consumer<Probe> told) {
    settings
        .statusUrl()
        .ifPresentOrElse(
            url -> new StatusQuestion(sender, settings, signature, time).ask(url, run, told),
            () -> told.accept(Probe.unknown()));
  }

  private void ended(Reply reply, RunContext run, Consumer<Outcome> done) {
    if (reply instanceof Reply.Broken broken) {
      done.accept(Trouble.outcome(broken.cause(), discretion.call()));
      return;
    }
    Answer answer = ((Reply.Answered) reply).answer();
    Outcome outcome =
        AnswerRules.outcome(answer, discretion.call(), discretion.details(answer), time.instant());
    done.accept(
        outcome instanceof Outcome.Accepted accepted
            ? new Outcome.Accepted(accepted.externalId(), settings.reportTimeout())
            : outcome);
    if (answer.status() == AnswerRules.GONE) {
      sender.aside(() -> tell(run));
    }
  }

  private void tell(RunContext run) {
    try {
      gone.accept(new Gone(run.schedule(), run.target(), run.id(), discretion.gone()));
    } catch (RuntimeException e) {
      LOG.warn("nobody could be told that {} is gone; the schedule goes on", run.target(), e);
    }
  }
}
