package dev.carillon.cli.console;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * The environment of a command: variables, streams, folder and clock.
 *
 * @param environment the variables
 * @param folder where relative paths begin
 * @param in stdin
 * @param out stdout, for bytes that are passed on as they are
 * @param err stderr, for the same
 * @param terminal what the streams are connected to
 * @param clock this machine's
 */
public record Environment(
    Map<String, String> environment,
    Path folder,
    InputStream in,
    OutputStream out,
    OutputStream err,
    Terminal terminal,
    InstantSource clock) {

  /** Describe one in which no bytes are passed on. */
  public Environment(
      Map<String, String> environment,
      Path folder,
      InputStream in,
      Terminal terminal,
      InstantSource clock) {
    this(
        environment,
        folder,
        in,
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        terminal,
        clock);
  }

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

  /** Return this with streams that take the bytes of a wrapped command as they are. */
  public Environment passingOn(OutputStream outBytes, OutputStream errBytes) {
    return new Environment(environment, folder, in, outBytes, errBytes, terminal, clock);
  }
}
