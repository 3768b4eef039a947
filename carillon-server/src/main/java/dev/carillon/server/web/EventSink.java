package dev.carillon.server.web;

/** A client that is sent text as it comes into being; no thread waits for either. */
public interface EventSink {
  /** Send more text; false if the client is gone, or so slow that it was given up. */
  boolean send(String text);

  /** End, however much is still to be written. */
  void end();
}
