package dev.carillon.cli;

import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * What the command line answers.
 *
 * @param code the exit code
 * @param out what it wrote to stdout, and then what it passed on
 * @param err what it wrote to stderr, and then what it passed on
 */
public record Answer(int code, String out, String err) {

  /** Run a command in this process, as in a pipe. */
  public static Answer to(String... arguments) {
    return in(
        new Environment(
            Map.of(),
            Path.of(""),
            InputStream.nullInputStream(),
            Terminal.none(),
            InstantSource.system()),
        arguments);
  }

  /** Run a command in this process, in surroundings of the caller's. */
  public static Answer in(Environment environment, String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var passedOut = new ByteArrayOutputStream();
    var passedErr = new ByteArrayOutputStream();
    var heard =
        new Environment(
            environment.environment(),
            environment.folder(),
            environment.in(),
            passedOut,
            passedErr,
            environment.terminal(),
            environment.clock());
    CommandLine commands =
        Main.commandLine(heard, arguments)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    int code = Main.execute(commands, arguments);
    return new Answer(
        code,
        out + passedOut.toString(StandardCharsets.UTF_8),
        err + passedErr.toString(StandardCharsets.UTF_8));
  }
}
