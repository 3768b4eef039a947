package dev.carillon.targets.http;

import dev.carillon.json.Json;
import dev.carillon.model.Run;
import dev.carillon.target.RunContext;
import dev.carillon.targets.workflow.Launch;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to an endpoint, ready to be sent.
 *
 * @param url the URL
 * @param method the HTTP method
 * @param headers all headers but those of the HTTP protocol itself
 * @param body the body, as JSON
 */
record HttpMessage(URI url, String method, Map<String, String> headers, String body) {

  /* The body and the ids of a message. */
  private record Content(String id, String idempotencyKey, int attempt, String json) {}

  /** Create the message for one attempt of a run, signed at {@code now} if there is a secret. */
  static HttpMessage of(
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      RunContext run,
      Instant now) {
    return of(
        settings,
        signature,
        new Content(
            run.id().toString(), run.idempotencyKey(), run.attempt(), MessageEvent.of(run).json()),
        now);
  }

  /** Create the message that launches a workflow, signed like the attempt of a run. */
  static HttpMessage of(
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      Launch launch,
      Instant now) {
    String key = launch.context().idempotencyKey();
    return of(
        settings,
        signature,
        new Content(
            launch.context().run().map(Object::toString).orElse(key),
            key,
            launch.context().attempt(),
            launch.json()),
        now);
  }

  /** Create the query for the status of a run, signed like the attempt of a run. */
  static HttpMessage statusQuery(
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      URI statusUrl,
      Run run,
      Instant now) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("type", "run.status");
    fields.put("runId", run.id().toString());
    fields.put("attempt", run.attempt());
    fields.put("idempotencyKey", run.idempotencyKey());
    fields.put("externalId", run.externalId().orElse(null));
    HttpMessage message =
        of(
            settings,
            signature,
            new Content(
                run.id().toString(), run.idempotencyKey(), run.attempt(), Json.write(fields)),
            now);
    return new HttpMessage(statusUrl, "POST", message.headers, message.body);
  }

  /** Create a test message, which belongs to no run, signed like the attempt of a run. */
  static HttpMessage test(
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      String id,
      MessageEvent event,
      Instant now) {
    return of(settings, signature, new Content(id, id, 1, event.json()), now);
  }

  private static HttpMessage of(
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      Content content,
      Instant now) {
    var headers = new LinkedHashMap<String, String>(settings.headers());
    headers.put("content-type", "application/json");
    headers.put("webhook-id", content.id());
    headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
    var message = new HttpMessage(settings.url(), settings.method(), headers, content.json());
    if (signature != null) {
      headers.put("webhook-signature", signature.sign(content.id(), now, message.bytes()));
    }
    headers.put("idempotency-key", content.idempotencyKey());
    headers.put("carillon-attempt", Integer.toString(content.attempt()));
    headers.put("traceparent", TraceParent.of(content.idempotencyKey(), content.attempt()));
    return message;
  }

  /** Return the body as it is sent. */
  byte[] bytes() {
    return body.getBytes(StandardCharsets.UTF_8);
  }
}
