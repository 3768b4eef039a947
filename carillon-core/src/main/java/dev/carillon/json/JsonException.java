package dev.carillon.json;

/** A text that is no JSON, or a value that JSON cannot say. */
public final class JsonException extends IllegalArgumentException {
  JsonException(String message) {
    super(message);
  }
}
