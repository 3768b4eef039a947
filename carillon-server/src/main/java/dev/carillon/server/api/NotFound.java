package dev.carillon.server.api;

import dev.carillon.model.RunId;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Truncated;

/** What to say about things that are not there. */
public final class NotFound {

  private NotFound() {}

  public static ProblemException schedule(String key) {
    return new ProblemException(
        ProblemKind.SCHEDULE_UNKNOWN,
        "No schedule is called '%s'; GET %s/schedules lists them."
            .formatted(Truncated.of(key), Api.ROOT));
  }

  static ProblemException version(String key) {
    return new ProblemException(
        ProblemKind.VERSION_UNKNOWN,
        "Schedule '%s' never had this version; GET %s/schedules/{key}/versions lists them."
            .formatted(Truncated.of(key), Api.ROOT));
  }

  public static ProblemException workflow(String id) {
    return new ProblemException(
        ProblemKind.WORKFLOW_UNKNOWN,
        "No workflow is called '%s'; GET %s/workflows lists them."
            .formatted(Truncated.of(id), Api.ROOT));
  }

  public static ProblemException workflowVersion(String id) {
    return new ProblemException(
        ProblemKind.VERSION_UNKNOWN,
        "Workflow '%s' has no such version; GET %s/workflows/{id} lists them."
            .formatted(Truncated.of(id), Api.ROOT));
  }

  public static ProblemException run() {
    return new ProblemException(
        ProblemKind.RUN_UNKNOWN,
        "There is no such run, or not any more; GET %s/runs lists them.".formatted(Api.ROOT));
  }

  /** Return the id of the run that the path names. */
  static RunId runId(Request request) {
    return RunId.parse(request.part("id")).orElseThrow(NotFound::run);
  }
}
