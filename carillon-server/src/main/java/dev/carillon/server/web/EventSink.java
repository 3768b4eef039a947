package dev.carillon.server.web;

/** Where content goes that a client is told as it comes into being; no thread waits for either. */
public interface EventSink {
  /** Tell the client more; false if it is gone, or so slow that it was given up. */
  boolean tell(String text);

  /** End, however much is still to be written. */
  void end();
}
