package dev.carillon.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals to other processes. */
final class Signals {
  private Signals() {}

  /** Send {@code signal}, such as {@code STOP}; a process that is gone is none of our business. */
  static void send(String signal, long pid) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
          .redirectErrorStream(true)
          .start()
          .onExit()
          .join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
