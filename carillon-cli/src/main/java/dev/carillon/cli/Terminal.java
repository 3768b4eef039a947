package dev.carillon.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** What this process is connected to. */
final class Terminal {
  private Terminal() {}

  /** Say whether stderr is a terminal on which a line can be rewritten. */
  static boolean isStderr() {
    if ("dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      return new ProcessBuilder("test", "-t", "2").redirectError(Redirect.INHERIT).start().waitFor()
          == 0;
    } catch (IOException e) {
      return false; // no such program: not on a Unix
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
