package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon target put}. */
@Command(
    name = "put",
    description = "Define a target, or change it.",
    footer = {
      "",
      "Examples:",
      "  carillon target put send-report --url https://reports.example/run --secret @secret.txt",
      "  carillon target put import --type worker",
      "  carillon target put send-report --settings @send-report.json"
    })
final class TargetPutCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "LABEL", description = "What schedules call it.")
  private String label = "";

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "http (default with --url), worker, workflow, log or noop.")
  private @Nullable String type;

  @Option(names = "--url", paramLabel = "URL", description = "http: where runs are sent.")
  private @Nullable String url;

  @Option(names = "--method", paramLabel = "METHOD", description = "http: POST if not said.")
  private @Nullable String method;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "http: sent with each run; can be repeated.")
  private Map<String, String> headers = Map.of();

  @Option(
      names = "--secret",
      paramLabel = "SECRET",
      description =
          "http: what runs are signed with; as @FILE or - (stdin), since other users of the"
              + " machine can see what is on a command line. Without, it keeps the one it has;"
              + " --no-secret takes it away.")
  private @Nullable String secret;

  @Option(names = "--no-secret", description = "http: do not sign runs any more.")
  private boolean unsigned;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long one attempt may take, such as 30s.")
  private @Nullable String timeout;

  @Option(
      names = "--status-url",
      paramLabel = "URL",
      description = "http: where to ask what became of a run whose node was lost.")
  private @Nullable String statusUrl;

  @Option(
      names = "--max-concurrent",
      paramLabel = "N",
      description = "At most so many runs at a time.")
  private @Nullable Integer maxConcurrent;

  @Option(
      names = "--template",
      description = "http: the placeholders of header values and of the body are filled in.")
  private boolean template;

  @Option(
      names = "--body",
      paramLabel = "JSON",
      description =
          "http, with --template: what is sent instead of the message event; JSON, @FILE, or - for"
              + " stdin.")
  private @Nullable String sentBody;

  @Option(
      names = "--settings",
      paramLabel = "JSON",
      description = "All of it as JSON, @FILE, or - for stdin; the options above win.")
  private @Nullable String settings;

  @Override
  public void run() {
    var optionValues = new OptionValues(session.environment());
    ObjectNode body = Json.object();
    optionValues.json("--settings", settings).ifPresent(json -> body.setAll(object(json)));
    Json.put(body, "url", url);
    Json.put(body, "type", type == null && url != null ? "http" : type);
    Json.put(body, "method", method);
    if (!headers.isEmpty()) {
      ObjectNode sent = body.putObject("headers");
      headers.forEach(sent::put);
    }
    if (unsigned && secret != null) {
      throw Session.wrong("--secret and --no-secret exclude each other; drop one");
    }
    if (unsigned) {
      body.putNull("secret");
    }
    Json.put(body, "secret", optionValues.secret("--secret", secret));
    Json.put(body, "timeout", optionValues.duration("--timeout", timeout));
    Json.put(body, "statusUrl", statusUrl);
    if (maxConcurrent != null) {
      body.put("maxConcurrent", maxConcurrent);
    }
    if (template) {
      body.put("template", true);
    }
    optionValues.json("--body", sentBody).ifPresent(json -> body.set("body", json));
    if (!body.has("type")) {
      throw Session.wrong("say what it is: --url, --type or --settings");
    }
    JsonNode target = session.ask(Call.put("targets", label).sending(body));
    session.noteWarnings(target);
    session.print(
        target,
        output ->
            output.line("target %s (%s) is saved".formatted(label, body.path("type").asText())));
  }

  private static ObjectNode object(JsonNode json) {
    if (json instanceof ObjectNode object) {
      return object;
    }
    throw Session.wrong("--settings must be an object, such as {\"type\":\"worker\"}");
  }
}
