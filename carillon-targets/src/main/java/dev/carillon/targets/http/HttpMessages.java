package dev.carillon.targets.http;

import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.target.RunContext;
import dev.carillon.targets.workflow.Launch;
import dev.carillon.template.TemplateValues;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the messages to one endpoint and signs them if there is a secret. */
final class HttpMessages {
  private final HttpTargetSettings settings;
  private final Optional<WebhookSignature> signature;

  HttpMessages(HttpTargetSettings settings) {
    this.settings = settings;
    this.signature =
        Optional.of(settings.secrets()).filter(all -> !all.isEmpty()).map(WebhookSignature::of);
  }

  /** Return what the settings add to a message in which {@code values} are filled in. */
  MessageParts parts(Supplier<TemplateValues> values, Supplier<Payload> payload) {
    return settings
        .template()
        .map(template -> template.expand(values.get(), payload.get()))
        .orElseGet(() -> new MessageParts(settings.headers(), Optional.empty()));
  }

  /** Create the message for one attempt of a run. */
  HttpMessage of(RunContext run, MessageParts parts, Instant now) {
    String body = parts.body().orElseGet(() -> MessageEvent.of(run).json());
    var envelope = new Envelope(run.id().toString(), run.idempotencyKey(), run.attempt());
    return signed(envelope, parts.headers(), body, now);
  }

  /** Create the message that launches a workflow. */
  HttpMessage of(Launch launch, Instant now) {
    String key = launch.context().idempotencyKey();
    String id = launch.context().run().map(Object::toString).orElse(key);
    var envelope = new Envelope(id, key, launch.context().attempt());
    return signed(envelope, settings.headers(), launch.json(), now);
  }

  /** Create the query for the status of a run. */
  HttpMessage statusQuery(URI statusUrl, Run run, Map<String, String> headers, Instant now) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("type", "run.status");
    fields.put("runId", run.id().toString());
    fields.put("attempt", run.attempt());
    fields.put("idempotencyKey", run.idempotencyKey());
    fields.put("externalId", run.externalId().orElse(null));
    String body = Json.write(fields);
    var envelope = new Envelope(run.id().toString(), run.idempotencyKey(), run.attempt());
    HttpMessage message = signed(envelope, headers, body, now);
    return new HttpMessage(statusUrl, "POST", message.headers(), body);
  }

  /** Create a test message, which belongs to no run. */
  HttpMessage test(String id, MessageEvent event, MessageParts parts, Instant now) {
    String body = parts.body().orElseGet(event::json);
    return signed(new Envelope(id, id, 1), parts.headers(), body, now);
  }

  /** What the headers say of a message that the scheduler knows. */
  private record Envelope(String id, String idempotencyKey, int attempt) {}

  private HttpMessage signed(
      Envelope envelope, Map<String, String> additional, String body, Instant now) {
    var headers = new LinkedHashMap<String, String>(additional);
    headers.put("content-type", "application/json");
    headers.put("webhook-id", envelope.id);
    headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
    var message = new HttpMessage(settings.url(), settings.method(), headers, body);
    signature.ifPresent(
        own -> headers.put("webhook-signature", own.sign(envelope.id, now, message.bytes())));
    headers.put("idempotency-key", envelope.idempotencyKey);
    headers.put("carillon-attempt", Integer.toString(envelope.attempt));
    headers.put("traceparent", TraceParent.of(envelope.idempotencyKey, envelope.attempt));
    return message;
  }
}
