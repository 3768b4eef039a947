package dev.carillon.targets.http;

import dev.carillon.json.Json;
import dev.carillon.model.Run;
import dev.carillon.target.RunContext;
import dev.carillon.targets.workflow.Launch;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
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

  /** Create the message for one attempt of a run. */
  HttpMessage of(RunContext run, Instant now) {
    String body = MessageEvent.of(run).json();
    return signed(run.id().toString(), run.idempotencyKey(), run.attempt(), body, now);
  }

  /** Create the message that launches a workflow. */
  HttpMessage of(Launch launch, Instant now) {
    String key = launch.context().idempotencyKey();
    String id = launch.context().run().map(Object::toString).orElse(key);
    return signed(id, key, launch.context().attempt(), launch.json(), now);
  }

  /** Create the query for the status of a run. */
  HttpMessage statusQuery(URI statusUrl, Run run, Instant now) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("type", "run.status");
    fields.put("runId", run.id().toString());
    fields.put("attempt", run.attempt());
    fields.put("idempotencyKey", run.idempotencyKey());
    fields.put("externalId", run.externalId().orElse(null));
    String body = Json.write(fields);
    HttpMessage message =
        signed(run.id().toString(), run.idempotencyKey(), run.attempt(), body, now);
    return new HttpMessage(statusUrl, "POST", message.headers(), body);
  }

  /** Create a test message, which belongs to no run. */
  HttpMessage test(String id, MessageEvent event, Instant now) {
    return signed(id, id, 1, event.json(), now);
  }

  private HttpMessage signed(
      String id, String idempotencyKey, int attempt, String body, Instant now) {
    var headers = new LinkedHashMap<String, String>(settings.headers());
    headers.put("content-type", "application/json");
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
    var message = new HttpMessage(settings.url(), settings.method(), headers, body);
    signature.ifPresent(
        own -> headers.put("webhook-signature", own.sign(id, now, message.bytes())));
    headers.put("idempotency-key", idempotencyKey);
    headers.put("carillon-attempt", Integer.toString(attempt));
    headers.put("traceparent", TraceParent.of(idempotencyKey, attempt));
    return message;
  }
}
