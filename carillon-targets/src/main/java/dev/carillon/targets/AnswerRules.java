package dev.carillon.targets;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Says what an answer means for the run. Pure: the table of {@code docs/reference/targets.md}. */
final class AnswerRules {
  static final int ACCEPTED = 202;
  static final int GONE = 410;

  /* Timeout, Too Early, Too Many Requests: the same request may do better later. */
  private static final Set<Integer> LATER = Set.of(408, 425, 429);
  private static final Set<Integer> SAYING_WHEN = Set.of(429, 503);

  private AnswerRules() {}

  /**
   * Judge an answer.
   *
   * @param call the method and address, for people
   * @param details the answer as far as it may be shown
   */
  static Outcome outcome(Answer answer, String call, String details, Instant now) {
    int status = answer.status();
    if (status == ACCEPTED) {
      return accepted(answer);
    }
    if (status >= 200 && status < 300) {
      return Outcome.succeeded();
    }
    String said = call + " answered " + status;
    if (status >= 300 && status < 400) {
      return rejected("redirect", said + redirect(answer), details);
    }
    if (status == GONE) {
      return rejected("gone", said + ": it wants no more messages", details);
    }
    if (status >= 500 || LATER.contains(status)) {
      return new Outcome.Failed(
          new Failure("http_" + status, said, Optional.of(details)), true, wait(answer, now));
    }
    return rejected("http_" + status, said, details);
  }

  private static Outcome accepted(Answer answer) {
    return answer.externalId().map(Outcome::accepted).orElseGet(Outcome::accepted);
  }

  private static String redirect(Answer answer) {
    return answer
            .header("location")
            .map(to -> " and pointed to " + Printable.line(to, 500))
            .orElse("")
        + "; redirects are never followed: set the target's url to where it leads";
  }

  private static Optional<Duration> wait(Answer answer, Instant now) {
    return SAYING_WHEN.contains(answer.status())
        ? answer.header("retry-after").flatMap(value -> RetryAfter.read(value, now))
        : Optional.empty();
  }

  private static Outcome rejected(String code, String message, String details) {
    return Outcome.rejected(new Failure(code, message, Optional.of(details)));
  }
}
