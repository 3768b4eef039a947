package dev.carillon.cli.remote;

import dev.carillon.cli.console.Exit;
import java.util.List;

/** A server did not do what it was asked for, and said why. */
public final class RefusedException extends RuntimeException {
  private final int status;
  private final String code;
  private final List<Fault> faults;

  /**
   * What is wrong with one field.
   *
   * @param pointer which one, such as {@code /timing/cron}; empty for the whole
   * @param message what is wrong, and the cure
   */
  public record Fault(String pointer, String message) {}

  public RefusedException(int status, String code, String message, List<Fault> faults) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = List.copyOf(faults);
  }

  /** Return the status of HTTP. */
  public int status() {
    return status;
  }

  /** Return the word by which the server calls this problem. */
  public String code() {
    return code;
  }

  /** Return what is wrong with which field, if the server said. */
  public List<Fault> faults() {
    return faults;
  }

  /** Return what the process is to end with. */
  public int exitCode() {
    return Exit.ofStatus(status);
  }
}
