package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.bench.Progress;
import dev.carillon.cli.console.AgeText;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.ConfirmationPrompt;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette;
import dev.carillon.cli.console.TerminalWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What commands that talk to a server have in common: where it is, who asks, how to answer. */
public final class Session {
  private final Environment environment;
  private @Nullable Client client;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      order = 100,
      description = "table, json or yaml (default: ${DEFAULT-VALUE}).")
  private Output.Format format = Output.Format.TABLE;

  @Option(
      names = "--absolute",
      order = 101,
      description = "Show instants instead of how long ago they are.")
  private boolean absolute;

  @Option(
      names = "--server",
      paramLabel = "URL",
      order = 110,
      description =
          "Where the server is; also CARILLON_SERVER. Default: the one whose data folder is"
              + " here, or http://127.0.0.1:8080.")
  private @Nullable String server;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      order = 111,
      description =
          "Who asks; better as CARILLON_TOKEN, which other users of the machine cannot see."
              + " Default, on the server's machine: its admin token.")
  private @Nullable String token;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      order = 112,
      description =
          "Data folder of the server on this machine; also CARILLON_DATA"
              + " (default: carillon-data).")
  private @Nullable String data;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      order = 113,
      description =
          "Certificates to trust with https, as PEM, instead of Java's own; also CARILLON_CA.")
  private @Nullable String ca;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      order = 114,
      description =
          "Certificate that says who asks, instead of a token, as PEM with its chain; also"
              + " CARILLON_CERT.")
  private @Nullable String certificate;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      order = 115,
      description = "Private key of that certificate, as PEM (PKCS#8); also CARILLON_KEY.")
  private @Nullable String key;

  public Session(Environment environment) {
    this.environment = environment;
  }

  /** Return what asks the server, having warned if others could read the token. */
  public Client client() {
    Client known = client;
    if (known == null) {
      Endpoint endpoint = endpoint();
      if (endpoint.exposesToken()) {
        note("warning: the token goes to " + endpoint.server() + " in the clear; use https");
      }
      known = new Client(endpoint, tls().context());
      client = known;
    }
    return known;
  }

  private Tls tls() {
    return new Tls(
        file(ca, "CARILLON_CA"), file(certificate, "CARILLON_CERT"), file(key, "CARILLON_KEY"));
  }

  private Optional<Path> file(@Nullable String option, String variable) {
    return Optional.ofNullable(option)
        .or(() -> Optional.ofNullable(environment.environment().get(variable)))
        .filter(name -> !name.isBlank())
        .map(environment.folder()::resolve);
  }

  /** Return the server and who asks. */
  public Endpoint endpoint() {
    boolean certified = tls().certificate().isPresent();
    return serverDiscovery()
        .find(Optional.ofNullable(server), Optional.ofNullable(token), certified);
  }

  /** Return what is known about a server on this machine. */
  public ServerDiscovery serverDiscovery() {
    return new ServerDiscovery(environment, Optional.ofNullable(data));
  }

  /** Ask the server and return its answer. */
  public JsonNode ask(Call call) {
    return client().send(call).body();
  }

  /** Print an answer: as it is for programs, by {@code forPeople} for people. */
  public void print(JsonNode answer, Consumer<Output> forPeople) {
    output().print(answer, forPeople);
  }

  /** Print that a run is in its state. */
  public void printRun(JsonNode run) {
    print(
        run,
        output ->
            output.line(
                "run %s is %s"
                    .formatted(Json.text(run, "/id"), output.word(Json.text(run, "/state")))));
  }

  /** Return where answers go. */
  public Output output() {
    CommandLine command = spec.commandLine();
    return new Output(
        command.getOut(),
        format,
        new Palette(command.getColorScheme().ansi().enabled()),
        environment.terminal().width(),
        new AgeText(environment.clock().instant(), absolute));
  }

  /** Say something on stderr that is no failure. */
  public void note(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("carillon: " + line);
    err.flush();
  }

  /** Say on stderr what the server warns of in {@code answer}. */
  public void noteWarnings(JsonNode answer) {
    for (JsonNode warning : answer.path("warnings")) {
      note("warning: " + CommandHints.line(warning, "/message"));
    }
  }

  /** Ask on a terminal; only a yes lets the command go on. */
  public void confirm(String question) {
    new ConfirmationPrompt(environment, spec.commandLine().getErr()).confirm(question, false);
  }

  /**
   * Show the first of many things that are about to be changed, and go on if {@code --yes} was
   * given, or if the answer on the terminal is yes.
   *
   * @param yes whether it was agreed to
   * @param doing such as {@code Retire 12 schedules}
   * @param first what is shown of them
   * @param all how many they are
   */
  public void confirmMany(boolean yes, String doing, List<String> first, long all) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(doing + ":");
    BulkChange.shown(first, all).forEach(line -> err.println("  " + line));
    err.flush();
    if (!yes) {
      new ConfirmationPrompt(environment, err).confirm(doing, true);
    }
  }

  /** Return what shows how far a long command is. */
  public Progress progress() {
    return new Progress(
        spec.commandLine().getErr(), environment.terminal().isErr(), TerminalWriter.ERASE_LINE);
  }

  /** Return the environment of this command. */
  public Environment environment() {
    return environment;
  }

  /** Return the error that the command was called in a wrong way. */
  public static CommandFailure wrong(String message, Object... values) {
    return new CommandFailure(Exit.USAGE, String.format(Locale.ROOT, message, values));
  }
}
