package dev.carillon.server.web;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** Headers of every reply: browsers run, frame, guess, keep and pass on nothing of it. */
final class SecurityHeaders {
  private SecurityHeaders() {}

  static void put(Request request, HttpFields.Mutable headers) {
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    if (request.getConnectionMetaData().isSecure()) {
      headers.put("Strict-Transport-Security", "max-age=31536000");
    }
  }
}
