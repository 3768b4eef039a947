package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import java.util.ArrayList;
import java.util.List;

/** A server did not do what it was asked for, and said why. */
public final class RefusedException extends RuntimeException {
  private final int status;
  private final String code;
  private final List<Fault> faults;

  /**
   * What is wrong with one field.
   *
   * @param pointer which one, such as {@code /timing/cron}; empty for the whole
   * @param message what is wrong, and the cure
   */
  public record Fault(String pointer, String message) {}

  public RefusedException(int status, String code, String message, List<Fault> faults) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = List.copyOf(faults);
  }

  /** Return what a reply that is no success says (RFC 9457), as people can act on it. */
  static RefusedException of(Reply reply, Endpoint endpoint) {
    JsonNode body = reply.body();
    String said = Json.text(body, "/detail");
    if (said.isEmpty()) {
      said = Json.text(body, "/title");
    }
    if (said.isEmpty()) {
      said =
          "%s answered %s, and not as Carillon does; is that a Carillon server?"
              .formatted(endpoint.server(), reply.status());
    }
    return new RefusedException(
        reply.status(),
        Json.text(body, "/code"),
        TerminalText.line(CommandHints.instead(said)) + hint(reply, endpoint),
        faults(body));
  }

  private static List<Fault> faults(JsonNode body) {
    var faults = new ArrayList<Fault>();
    for (JsonNode error : body.path("errors")) {
      String place = Json.text(error, "/pointer") + Json.text(error, "/parameter");
      faults.add(new Fault(TerminalText.line(place), CommandHints.line(error, "/message")));
    }
    return faults;
  }

  private static String hint(Reply reply, Endpoint endpoint) {
    int status = reply.status();
    if (Json.text(reply.body(), "/code").matches("not-found|method-not-allowed")) {
      return " (the server does not know this; is it older than this program?)";
    }
    if (status == 401 && endpoint.certified()) {
      return " (the server knows nobody by this certificate; its --tls-client-roles says whom)";
    }
    if (status == 401) {
      return endpoint.token().isEmpty()
          ? " (no token was found: give one as CARILLON_TOKEN, or run this beside the folder"
              + " carillon-data of the server)"
          : " (the token is from %s)".formatted(endpoint.tokenSource());
    }
    return status == 403 ? " ('carillon doctor' shows what the token may do)" : "";
  }

  /** Return the status of HTTP. */
  public int status() {
    return status;
  }

  /** Return the word by which the server calls this problem. */
  public String code() {
    return code;
  }

  /** Return what is wrong with which field, if the server said. */
  public List<Fault> faults() {
    return faults;
  }

  /** Return what the process is to end with. */
  public int exitCode() {
    return Exit.ofStatus(status);
  }
}
