package dev.carillon.targets.http;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.targets.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Maps a response to the outcome of its run: the table of {@code docs/reference/targets.md}. */
public final class ResponseRules {
  static final int ACCEPTED = 202;
  static final int GONE = 410;

  /* Timeout, Too Early, Too Many Requests: the same request may succeed later. */
  private static final Set<Integer> RETRYABLE_STATUSES = Set.of(408, 425, 429);
  private static final Set<Integer> WITH_RETRY_AFTER = Set.of(429, 503);

  private ResponseRules() {}

  /**
   * Return the outcome that a response means.
   *
   * @param call the method and URL, for messages
   * @param details the redacted response
   */
  public static Outcome outcome(
      EndpointResponse response, String call, String details, Instant now) {
    int status = response.status();
    if (status == ACCEPTED) {
      return accepted(response);
    }
    if (response.isSuccess()) {
      return Outcome.succeeded();
    }
    String message = call + " answered " + status;
    if (status >= 300 && status < 400) {
      return rejected("redirect", message + redirect(response), details);
    }
    if (status == GONE) {
      return rejected("gone", message + ": it wants no more messages", details);
    }
    if (status >= 500 || RETRYABLE_STATUSES.contains(status)) {
      return new Outcome.Failed(
          new Failure("http_" + status, message, Optional.of(details)),
          true,
          retryAfter(response, now));
    }
    return rejected("http_" + status, message, details);
  }

  private static Outcome accepted(EndpointResponse response) {
    return response.externalId().map(Outcome::accepted).orElseGet(Outcome::accepted);
  }

  private static String redirect(EndpointResponse response) {
    return response
            .header("location")
            .map(to -> " and pointed to " + SafeText.line(withoutQuery(to), 500))
            .orElse("")
        + "; redirects are never followed: set the target's url to where it leads";
  }

  /* Often the query of the request, which may hold a credential. */
  private static String withoutQuery(String location) {
    int query = location.indexOf('?');
    int authority = location.indexOf("//");
    int user = location.indexOf('@');
    String path = query < 0 ? location : location.substring(0, query);
    return authority < 0 || user < 0 || user >= path.length()
        ? path
        : path.substring(0, authority + 2) + path.substring(user + 1);
  }

  private static Optional<Duration> retryAfter(EndpointResponse response, Instant now) {
    return WITH_RETRY_AFTER.contains(response.status())
        ? response.header("retry-after").flatMap(value -> RetryAfter.read(value, now))
        : Optional.empty();
  }

  private static Outcome rejected(String code, String message, String details) {
    return Outcome.failedPermanently(new Failure(code, message, Optional.of(details)));
  }
}
