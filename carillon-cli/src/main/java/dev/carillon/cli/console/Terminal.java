package dev.carillon.cli.console;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** What the streams of a process are connected to; looked up only when asked for. */
public final class Terminal {
  private static final int IN = 0;
  private static final int OUT = 1;
  private static final int ERR = 2;

  private final IntPredicate connected;
  private final Supplier<OptionalInt> width;

  /** Describe a terminal by the numbers of the streams it is connected to, and its columns. */
  public Terminal(IntPredicate connected, Supplier<OptionalInt> width) {
    this.connected = connected;
    this.width = width;
  }

  /** Return the terminal this process was started from, if it was. */
  public static Terminal ofThisProcess(Map<String, String> environment) {
    return "dumb".equals(environment.get("TERM"))
        ? none()
        : new Terminal(Terminal::isTerminal, () -> measure(environment));
  }

  /** Return what a process in a pipe has. */
  public static Terminal none() {
    return new Terminal(stream -> false, OptionalInt::empty);
  }

  /** Say whether stdout is a terminal, so that only the person who started the process reads it. */
  public boolean isOut() {
    return connected.test(OUT);
  }

  /** Say whether stderr is a terminal on which a line can be rewritten. */
  public boolean isErr() {
    return connected.test(ERR);
  }

  /** Say whether the user can be asked and can answer. */
  public boolean canAsk() {
    return connected.test(IN) && connected.test(ERR);
  }

  /** Return how many columns stdout has; empty if it is no terminal. */
  public OptionalInt width() {
    return connected.test(OUT) ? width.get() : OptionalInt.empty();
  }

  private static boolean isTerminal(int stream) {
    var test = new ProcessBuilder("test", "-t", Integer.toString(stream));
    return switch (stream) {
      case IN -> succeeds(test.redirectInput(Redirect.INHERIT));
      case OUT -> succeeds(test.redirectOutput(Redirect.INHERIT));
      default -> succeeds(test.redirectError(Redirect.INHERIT));
    };
  }

  private static boolean succeeds(ProcessBuilder test) {
    try {
      return test.start().waitFor() == 0;
    } catch (IOException e) {
      return false; // no such program: not on a Unix
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static OptionalInt measure(Map<String, String> environment) {
    OptionalInt set = number(environment.getOrDefault("COLUMNS", ""));
    if (set.isPresent()) {
      return set;
    }
    try {
      Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty").start();
      String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return number(answer.strip().replaceFirst(".* ", ""));
    } catch (IOException e) {
      return OptionalInt.empty();
    }
  }

  private static OptionalInt number(String text) {
    return text.matches("[1-9][0-9]{1,3}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }
}
