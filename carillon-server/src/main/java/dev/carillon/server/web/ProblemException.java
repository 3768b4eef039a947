package dev.carillon.server.web;

/** Ends the handling of a request with a problem. */
public final class ProblemException extends RuntimeException {
  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  /** Return the problem to tell. */
  public Problem problem() {
    return problem;
  }
}
