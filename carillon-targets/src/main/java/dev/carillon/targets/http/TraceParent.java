package dev.carillon.targets.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Creates the header {@code traceparent} of W3C Trace Context: the attempts of a run share a trace,
 * each with a span of its own.
 */
final class TraceParent {
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  private TraceParent() {}

  /** Return the header's value for one attempt. */
  static String of(String idempotencyKey, int attempt) {
    return "00-"
        + digest("trace " + idempotencyKey, TRACE_BYTES)
        + "-"
        + digest("span " + idempotencyKey + " " + attempt, SPAN_BYTES)
        + "-01";
  }

  private static String digest(String text, int bytes) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
