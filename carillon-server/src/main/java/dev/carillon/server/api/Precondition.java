package dev.carillon.server.api;

import dev.carillon.Schedules;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import java.util.Optional;

/**
 * What must be so for an edit to be done.
 *
 * @param present whether there must be something to edit
 * @param absent whether there must be nothing yet
 * @param tag which ETag it must have; empty for any
 */
public record Precondition(boolean present, boolean absent, Optional<String> tag) {

  /** Read {@code If-Match} and {@code If-None-Match}. */
  public static Precondition of(Request request) {
    Optional<String> match = request.header("If-Match").map(String::strip);
    Optional<String> noneMatch = request.header("If-None-Match").map(String::strip);
    if (noneMatch.isPresent() && !noneMatch.get().equals("*")) {
      throw new ProblemException(
          ProblemKind.MALFORMED_REQUEST, "Of If-None-Match, only * is understood here.");
    }
    return new Precondition(
        match.isPresent(), noneMatch.isPresent(), match.filter(tag -> !tag.equals("*")));
  }

  /** Return which version the ETag names; empty for any. */
  Optional<Integer> version() {
    return tag.map(Precondition::version);
  }

  private static int version(String tag) {
    return (int)
        ScheduleView.version(tag)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemKind.CHANGED_MEANWHILE,
                        "If-Match names no version; send an ETag as it was received."));
  }

  /**
   * Return which version something that is saved must have, 0 if there must be none; empty if that
   * does not matter.
   */
  Optional<Integer> expected() {
    return absent ? Optional.of(0) : version();
  }

  /** Return whether an edit of {@code current} must not be done. */
  public boolean forbids(int current) {
    return absent || version().filter(wanted -> wanted != current).isPresent();
  }

  /**
   * Return whether an edit must not be done.
   *
   * @param current the ETag of what there is; empty if there is nothing
   */
  public boolean forbids(Optional<String> current) {
    return current.isPresent()
        ? absent || tag.filter(wanted -> !current.get().equals(wanted)).isPresent()
        : present;
  }

  /** Retire a schedule, if it is as it must be at that moment; empty if there is none. */
  public Optional<ChangeResult> retire(Schedules schedules, String key) {
    if (absent && schedules.get(key).isPresent()) {
      failed("There is such a schedule.");
    }
    Optional<ChangeResult> saved =
        version()
            .map(wanted -> schedules.retire(key, wanted))
            .orElseGet(() -> schedules.retire(key));
    if (saved.filter(done -> done.change() == Change.STALE).isPresent()) {
      failed("The schedule is not as If-Match says.");
    }
    return saved;
  }

  /**
   * Return {@code reply} with the ETag of the version that something has; as it is if there is
   * none.
   */
  static Reply tagged(Reply reply, Optional<Integer> version) {
    return version.map(now -> reply.header("ETag", CalendarView.etag(now))).orElse(reply);
  }

  /** Return the answer to an edit that is not done. */
  public static Reply failed(String detail) {
    throw new ProblemException(ProblemKind.CHANGED_MEANWHILE, detail + " Read it again first.");
  }
}
