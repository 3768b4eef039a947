package dev.carillon.server.api;

import dev.carillon.model.RunId;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Truncated;

/** The problems that say what is not there, and where to look for what is. */
public final class NotFound {
  private NotFound() {}

  public static ProblemException schedule(String key) {
    return named(ProblemKind.SCHEDULE_UNKNOWN, "No schedule is called '%s'", key, "schedules");
  }

  static ProblemException prunedVersion(String key) {
    return named(
        ProblemKind.VERSION_UNKNOWN,
        "Schedule '%s' no longer has this version: only the last hundred are kept, and those that"
            + " runs refer to",
        key,
        "schedules/{key}/versions");
  }

  static ProblemException version(String key) {
    return named(
        ProblemKind.VERSION_UNKNOWN,
        "Schedule '%s' never had this version",
        key,
        "schedules/{key}/versions");
  }

  public static ProblemException workflow(String id) {
    return named(ProblemKind.WORKFLOW_UNKNOWN, "No workflow is called '%s'", id, "workflows");
  }

  public static ProblemException workflowVersion(String id) {
    return named(
        ProblemKind.VERSION_UNKNOWN, "Workflow '%s' has no such version", id, "workflows/{id}");
  }

  static ProblemException ping(String key) {
    return named(ProblemKind.PING_UNKNOWN, "No ping is called '%s'", key, "pings");
  }

  static ProblemException calendar(String name) {
    return named(ProblemKind.CALENDAR_UNKNOWN, "No calendar is called '%s'", name, "calendars");
  }

  static ProblemException calendarVersion(String name) {
    return named(
        ProblemKind.VERSION_UNKNOWN,
        "Calendar '%s' never had this version",
        name,
        "calendars/{name}/versions");
  }

  static ProblemException quietHours(String name) {
    return named(
        ProblemKind.QUIET_HOURS_UNKNOWN, "No quiet hours are called '%s'", name, "quiet-hours");
  }

  public static ProblemException run() {
    return listed(
        ProblemKind.RUN_UNKNOWN, "There is no such run, or not any more", Api.ROOT + "/runs");
  }

  /** Return the id of the run that the path names. */
  static RunId runId(Request request) {
    return RunId.parse(request.part("id")).orElseThrow(NotFound::run);
  }

  private static ProblemException named(ProblemKind kind, String what, String name, String path) {
    return listed(kind, what.formatted(Truncated.of(name)), Api.ROOT + "/" + path);
  }

  /** Return a problem of {@code kind}: {@code what} is not there, {@code path} lists what is. */
  public static ProblemException listed(ProblemKind kind, String what, String path) {
    return new ProblemException(kind, "%s; GET %s lists them.".formatted(what, path));
  }
}
