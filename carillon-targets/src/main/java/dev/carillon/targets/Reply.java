package dev.carillon.targets;

/** How a request ended. */
sealed interface Reply {
  /** The endpoint answered. */
  record Answered(Answer answer) implements Reply {}

  /**
   * There was no answer, or not a whole one.
   *
   * @param cause what happened
   * @param sent whether the endpoint may have seen the whole request
   */
  record Broken(Throwable cause, boolean sent) implements Reply {}
}
