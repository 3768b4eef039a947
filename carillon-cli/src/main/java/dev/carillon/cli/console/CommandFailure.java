package dev.carillon.cli.console;

/** A command could not do its work; the message says in one line why and what to do. */
public final class CommandFailure extends RuntimeException {
  private final int exitCode;

  public CommandFailure(int exitCode, Throwable cause) {
    super(cause.getMessage(), cause);
    this.exitCode = exitCode;
  }

  public CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Return what the process is to end with. */
  public int exitCode() {
    return exitCode;
  }
}
