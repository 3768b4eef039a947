package dev.carillon.cli.console;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * The environment of a command: variables, streams, folder and clock.
 *
 * @param environment the variables
 * @param folder where relative paths begin
 * @param in stdin
 * @param terminal what the streams are connected to
 * @param clock this machine's
 */
public record Environment(
    Map<String, String> environment,
    Path folder,
    InputStream in,
    Terminal terminal,
    InstantSource clock) {

  /** Return those of this process. */
  public static Environment ofThisProcess() {
    Map<String, String> environment = System.getenv();
    return new Environment(
        environment,
        Path.of(""),
        System.in,
        Terminal.ofThisProcess(environment),
        InstantSource.system());
  }
}
