package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.remote.RefusedException.Fault;
import java.util.ArrayList;
import java.util.List;

/** Turns replies that are no success into what people can act on (RFC 9457). */
final class Refusals {
  private Refusals() {}

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
        Plain.line(Commands.instead(said)) + hint(reply, endpoint),
        faults(body));
  }

  private static List<Fault> faults(JsonNode body) {
    var faults = new ArrayList<Fault>();
    for (JsonNode error : body.path("errors")) {
      String place = Json.text(error, "/pointer") + Json.text(error, "/parameter");
      faults.add(
          new Fault(Plain.line(place), Plain.line(Commands.instead(Json.text(error, "/message")))));
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
}
