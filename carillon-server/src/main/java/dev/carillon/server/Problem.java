package dev.carillon.server;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;

/**
 * An error as RFC 9457 wants it told.
 *
 * @param status the HTTP status
 * @param code a word that clients can compare, such as {@code not-found}
 * @param title what went wrong, the same for every occurrence
 * @param detail what went wrong this time, and the cure
 * @param instance the path it went wrong at
 */
record Problem(int status, String code, String title, String detail, String instance) {
  static final String MEDIA_TYPE = "application/problem+json";

  /** Return a problem that says no more than its HTTP status does. */
  static Problem ofStatus(int status, String detail, String instance) {
    String title = HttpStatus.getMessage(status);
    String code = title.toLowerCase(Locale.ROOT).replace(' ', '-');
    return new Problem(status, code, title, detail, instance);
  }

  Reply reply() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", "about:blank");
    body.put("title", title);
    body.put("status", status);
    body.put("detail", detail);
    body.put("instance", instance);
    body.put("code", code);
    return new Reply(status, MEDIA_TYPE, body);
  }
}
