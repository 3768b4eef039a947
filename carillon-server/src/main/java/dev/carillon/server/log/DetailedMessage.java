package dev.carillon.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;

/** Tells which messages of the log have details on lines below the first. */
final class DetailedMessage {
  private static final String DETAILS = "details";

  private DetailedMessage() {}

  static boolean is(ILoggingEvent event) {
    return event.getKeyValuePairs() != null
        && event.getKeyValuePairs().stream().anyMatch(pair -> pair.key.equals(DETAILS));
  }
}
