package dev.carillon.server.web;

import java.util.Locale;

/** The kinds of problems; each has a page in {@code docs/problems}, named by its code. */
public enum ProblemKind {
  MALFORMED_REQUEST(400, "The request cannot be understood"),
  MALFORMED_JSON(400, "The body is not JSON as it is accepted here"),
  INVALID_PARAMETER(400, "A query parameter cannot be used"),
  UNAUTHENTICATED(401, "Sign in first"),
  FORBIDDEN(403, "Your role does not allow this"),
  OUT_OF_SCOPE(403, "Your token does not reach this"),
  NOT_FOUND(404, "There is nothing at this path"),
  SCHEDULE_UNKNOWN(404, "No such schedule"),
  VERSION_UNKNOWN(404, "No such version"),
  WORKFLOW_UNKNOWN(404, "No such workflow"),
  RUN_UNKNOWN(404, "No such run"),
  TARGET_UNKNOWN(404, "No such target"),
  PING_UNKNOWN(404, "No such ping"),
  CALENDAR_UNKNOWN(404, "No such calendar"),
  QUIET_HOURS_UNKNOWN(404, "No such quiet hours"),
  TOKEN_UNKNOWN(404, "No such token"),
  METHOD_NOT_ALLOWED(405, "This path does not take this method"),
  NOT_ACCEPTABLE(406, "No acceptable form of the answer"),
  REQUEST_TIMEOUT(408, "The request took too long to arrive"),
  KEY_TAKEN(409, "The key is taken"),
  SCHEDULE_RETIRED(409, "The schedule is retired"),
  RUN_NOT_ACTIVE(409, "The run is over"),
  REPORT_CONTRADICTED(409, "The report contradicts what is known of the run"),
  RUN_NOT_REPEATABLE(409, "The run cannot be run again"),
  TARGET_IN_USE(409, "The target is in use"),
  CALENDAR_IN_USE(409, "The calendar is in use"),
  QUIET_HOURS_IN_USE(409, "The quiet hours are in use"),
  TARGET_BUILT_IN(409, "The target is built in"),
  SECRET_KEY_MISSING(409, "There is no key to encrypt secrets with"),
  SECRET_KEY_UNKNOWN(409, "The secrets are encrypted with an unknown key"),
  COUNT_CHANGED(409, "Another number matches by now"),
  REQUEST_UNDER_WAY(409, "The same request is under way"),
  ANSWER_NOT_KEPT(409, "The answer was shown once and is not kept"),
  CHANGED_MEANWHILE(412, "It has changed meanwhile"),
  BODY_TOO_LARGE(413, "The body is too large"),
  ADDRESS_TOO_LONG(414, "The address is too long"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body is of no accepted type"),
  INVALID_INPUT(422, "The body says something that cannot be"),
  IDEMPOTENCY_KEY_REUSED(422, "The idempotency key belongs to another request"),
  TOO_MANY_FAILURES(429, "Too many failed sign-ins"),
  TOO_MANY_PINGS(429, "Too many pings"),
  TOO_MANY_STREAMS(429, "You listen too often"),
  TOO_MANY_WAITS(429, "Too many of your claims wait"),
  HEADERS_TOO_LARGE(431, "The headers are too large"),
  INTERNAL(500, "Something went wrong here"),
  METHOD_UNKNOWN(501, "No such method"),
  UNAVAILABLE(503, "The server cannot answer now"),
  HTTP_VERSION(505, "No such version of HTTP");

  private final int status;
  private final String title;

  ProblemKind(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** Return the HTTP status. */
  public int status() {
    return status;
  }

  /** Return what went wrong, the same for every occurrence. */
  public String title() {
    return title;
  }

  /** Return the word that clients can compare, such as {@code not-found}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Return the address of the page about it. */
  public String type() {
    return "/docs/problems/" + code();
  }
}
