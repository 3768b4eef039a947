package dev.carillon.cli;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.server.log.Logs;
import java.io.PrintWriter;

/** What a server says of itself: plain lines for people, or lines of its log for programs. */
final class ServeOutput {
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;

  ServeOutput(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  boolean isJson() {
    return json;
  }

  void print(String line) {
    if (json) {
      Logs.info(line);
    } else {
      out.println(line);
    }
  }

  void warn(String line) {
    if (json) {
      Logs.warn(line);
    } else {
      err.println("carillon: " + line);
    }
  }

  int fail(int code, RuntimeException failure) {
    if (!json) {
      throw new CommandFailure(code, failure);
    }
    Logs.error(String.valueOf(failure.getMessage()));
    return code;
  }

  int failUnexpectedly(int code, RuntimeException failure) {
    if (!json) {
      throw failure;
    }
    Logs.error("unexpected failure, please report it", failure);
    return code;
  }

  void flush() {
    out.flush();
    err.flush();
  }
}
