package dev.carillon.cli;

/** A command could not do its work; the message says in one line why and what to do. */
final class CommandFailure extends RuntimeException {
  private final int exitCode;

  CommandFailure(int exitCode, Throwable cause) {
    super(cause.getMessage(), cause);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
