package dev.carillon.server.web;

import dev.carillon.server.web.Problem.FieldError;
import java.util.List;

/** Ends the handling of a request with a problem. */
public final class ProblemException extends RuntimeException {
  private final transient Problem problem;

  /** End with a problem of {@code kind}. */
  public ProblemException(ProblemKind kind, String detail) {
    this(Problem.of(kind, detail));
  }

  /** End with what is wrong with the input. */
  public ProblemException(ProblemKind kind, List<FieldError> errors) {
    this(Problem.of(kind, errors));
  }

  ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  /** Return the problem to answer with. */
  public Problem problem() {
    return problem;
  }
}
