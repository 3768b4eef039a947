package dev.carillon.targets;

import dev.carillon.target.RunContext;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to an endpoint, ready to be sent.
 *
 * @param url where to
 * @param method how
 * @param headers all headers that are not HTTP's own business
 * @param event the body
 */
record HttpMessage(URI url, String method, Map<String, String> headers, MessageEvent event) {

  /** Describe one attempt of a run, signed as of {@code now} if there is something to sign with. */
  static HttpMessage of(
      HttpTargetSettings settings,
      @Nullable WebhookSignature signature,
      RunContext run,
      Instant now) {
    var event = MessageEvent.of(run);
    String id = run.id().toString();
    var headers = new LinkedHashMap<String, String>(settings.headers());
    headers.put("content-type", "application/json");
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
    if (signature != null) {
      headers.put("webhook-signature", signature.sign(id, now, event.bytes()));
    }
    headers.put("idempotency-key", run.idempotencyKey());
    headers.put("carillon-attempt", Integer.toString(run.attempt()));
    headers.put("traceparent", TraceParent.of(run));
    return new HttpMessage(settings.url(), settings.method(), headers, event);
  }
}
