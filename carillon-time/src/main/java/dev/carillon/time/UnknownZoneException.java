package dev.carillon.time;

/** Signals a time zone that is not accepted; the message names it and suggests another. */
public final class UnknownZoneException extends InvalidValueException {
  UnknownZoneException(String message) {
    super(message);
  }
}
