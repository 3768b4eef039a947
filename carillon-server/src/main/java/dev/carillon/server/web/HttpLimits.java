package dev.carillon.server.web;

import java.time.Duration;

/**
 * How much clients may use, and for how long.
 *
 * @param connections how many there are at most, or for a second twice as many
 * @param reserved how many of them are kept for health probes
 * @param waitersLeave so many before other requests are refused, those who wait are answered early
 * @param idle how long a connection may take until its next request is known, headers and all
 * @param bodyGrace how long a body may take whatever its size
 * @param body how long a body may take in all; till then it must come at a least rate
 * @param reply how long a client may take to read a reply
 * @param bodies how many bodies may be under way at a time
 * @param bodyBytes how many bytes of bodies are kept at a time
 */
record HttpLimits(
    int connections,
    int reserved,
    int waitersLeave,
    Duration idle,
    Duration bodyGrace,
    Duration body,
    Duration reply,
    int bodies,
    long bodyBytes) {
  static final HttpLimits DEFAULT =
      new HttpLimits(
          WebServer.CONNECTIONS,
          WebServer.RESERVED_CONNECTIONS,
          WebServer.RESERVED_CONNECTIONS,
          WebServer.IDLE,
          WebServer.BODY_GRACE,
          WebServer.BODY_DEADLINE,
          WebServer.REPLY_DEADLINE,
          WebServer.BODIES,
          Math.min(WebServer.BODY_BYTES, Runtime.getRuntime().maxMemory() / 16));
}
