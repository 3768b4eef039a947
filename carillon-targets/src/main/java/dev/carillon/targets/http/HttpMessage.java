package dev.carillon.targets.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A request to an endpoint, ready to be sent.
 *
 * @param url the URL
 * @param method the HTTP method
 * @param headers all headers but those of the HTTP protocol itself
 * @param body the body, as JSON
 */
record HttpMessage(URI url, String method, Map<String, String> headers, String body) {
  /** Return the body as it is sent. */
  byte[] bytes() {
    return body.getBytes(StandardCharsets.UTF_8);
  }
}
