package dev.carillon.cli;

import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Terminal;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * An environment for tests: an own folder, no variables, an empty stdin, and a clock that stands
 * still.
 */
public record Around(Path folder, Map<String, String> variables, String stdin, Terminal terminal) {
  /** When it is in tests. */
  public static final Instant NOW = Instant.parse("2027-03-26T12:00:00Z");

  /** Return an environment in {@code folder}, without a terminal. */
  public static Around in(Path folder) {
    return new Around(folder, Map.of(), "", Terminal.none());
  }

  /** Return the same with a variable. */
  public Around with(String name, String value) {
    var more = new HashMap<>(variables);
    more.put(name, value);
    return new Around(folder, more, stdin, terminal);
  }

  /** Return the same with a text on stdin. */
  public Around reading(String text) {
    return new Around(folder, variables, text, terminal);
  }

  /** Return the same on a terminal so wide. */
  public Around onTerminal(int columns) {
    return new Around(folder, variables, stdin, terminal(columns));
  }

  /** Return a terminal of {@code columns}, with every stream connected to it. */
  static Terminal terminal(int columns) {
    return new Terminal(stream -> true, () -> OptionalInt.of(columns));
  }

  /** Return what commands see. */
  public Environment environment() {
    return new Environment(
        variables,
        folder,
        new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
        terminal,
        InstantSource.fixed(NOW));
  }

  /** Run a command here. */
  public Answer run(String... arguments) {
    return Answer.in(environment(), arguments);
  }
}
