package dev.carillon.targets.http;

import dev.carillon.model.Run;
import dev.carillon.target.Outcome;
import dev.carillon.target.Probe;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import dev.carillon.targets.EndpointGone;
import dev.carillon.template.RunPayload;
import dev.carillon.template.TemplateException;
import dev.carillon.template.TemplateValues;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A target that sends each run as a signed message to an HTTP endpoint, whose response is the
 * outcome. No thread waits for the response.
 */
public final class HttpTarget implements Target {
  private static final Logger LOG = LoggerFactory.getLogger(HttpTarget.class);

  private final HttpSender sender;
  private final HttpTargetSettings settings;
  private final HttpMessages messages;
  private final Redaction redaction;
  private final InstantSource time;
  private final Consumer<EndpointGone> gone;
  private final ScheduleZones zones;

  /**
   * Create a target whose templates count dates in UTC.
   *
   * @param time the clock for signature timestamps
   * @param gone called, on a thread that may block, when the endpoint answers 410
   */
  public HttpTarget(
      HttpSender sender,
      HttpTargetSettings settings,
      InstantSource time,
      Consumer<EndpointGone> gone) {
    this(sender, settings, time, gone, ScheduleZones.UTC);
  }

  /**
   * Create a target.
   *
   * @param time the clock for signature timestamps
   * @param gone called, on a thread that may block, when the endpoint answers 410
   * @param zones the zones in which templates of the settings count dates
   */
  public HttpTarget(
      HttpSender sender,
      HttpTargetSettings settings,
      InstantSource time,
      Consumer<EndpointGone> gone,
      ScheduleZones zones) {
    this.sender = sender;
    this.settings = settings;
    this.messages = new HttpMessages(settings);
    this.redaction = new Redaction(settings);
    this.time = time;
    this.gone = gone;
    this.zones = zones;
  }

  /** Return the settings of the endpoint. */
  public HttpTargetSettings settings() {
    return settings;
  }

  @Override
  public void start(RunContext run, Consumer<Outcome> done) {
    MessageParts parts;
    try {
      parts =
          messages.parts(
              () -> MessageTemplate.values(run, zones.of(run.schedule(), run.version())),
              run::payload);
    } catch (TemplateException e) {
      done.accept(Outcome.failedPermanently(e.failure()));
      return;
    }
    var launch =
        new HttpAttempt(
            sender,
            () -> messages.of(run, parts, time.instant()),
            settings.timeout(),
            reply -> ended(reply, run, done),
            done);
    run.onStop(launch::stop);
    launch.start();
  }

  @Override
  public boolean canProbe() {
    return settings.statusUrl().isPresent();
  }

  @Override
  public void probe(Run run, Consumer<Probe> result) {
    settings
        .statusUrl()
        .flatMap(url -> statusQuery(url, run))
        .ifPresentOrElse(
            query ->
                sender
                    .exchange(
                        query,
                        settings.timeoutUpTo(StatusResponse.MAX_TIMEOUT),
                        reply -> result.accept(StatusResponse.read(reply, redaction)))
                    .send(),
            () -> result.accept(Probe.unknown()));
  }

  private Optional<HttpMessage> statusQuery(URI url, Run run) {
    try {
      MessageParts parts =
          messages.parts(
              () -> TemplateValues.of(run, zones.of(run.schedule(), run.version())),
              () -> RunPayload.of(run));
      return Optional.of(messages.statusQuery(url, run, parts.headers(), time.instant()));
    } catch (TemplateException e) { // nothing was sent for such a run
      return Optional.empty();
    }
  }

  private void ended(ExchangeResult reply, RunContext run, Consumer<Outcome> done) {
    Outcome outcome = reply.outcome(redaction, time.instant());
    done.accept(
        outcome instanceof Outcome.Accepted accepted
            ? new Outcome.Accepted(accepted.externalId(), settings.reportTimeout())
            : outcome);
    if (reply.isGone()) {
      sender.runAsync(() -> reportGone(run));
    }
  }

  private void reportGone(RunContext run) {
    try {
      gone.accept(new EndpointGone(run.schedule(), run.target(), run.id(), redaction.goneReason()));
    } catch (RuntimeException e) {
      LOG.warn("target {} answered 410, but its schedule could not be paused", run.target(), e);
    }
  }
}
