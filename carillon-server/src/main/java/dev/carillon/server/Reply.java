package dev.carillon.server;

/**
 * What a client is told.
 *
 * @param status the HTTP status
 * @param contentType the media type of the body
 * @param body what is written as JSON
 */
record Reply(int status, String contentType, Object body) {
  private static final String JSON = "application/json";

  static Reply json(int status, Object body) {
    return new Reply(status, JSON, body);
  }
}
