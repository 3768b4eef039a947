package dev.carillon.time;

/** A time zone that is not accepted; the message names it and says what would be. */
public final class UnknownZoneException extends IllegalArgumentException {
  UnknownZoneException(String message) {
    super(message);
  }
}
