package dev.carillon.time;

/** A time zone that is not accepted; the message names it and says what would be. */
public final class UnknownZoneException extends InvalidValueException {
  UnknownZoneException(String message) {
    super(message);
  }
}
