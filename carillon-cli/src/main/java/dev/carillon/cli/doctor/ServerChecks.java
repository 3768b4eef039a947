package dev.carillon.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Client;
import dev.carillon.cli.remote.Endpoint;
import dev.carillon.cli.remote.Reply;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** Checks a server through its front door. */
final class ServerChecks {
  private final Client client;
  private final InstantSource clock;
  private final List<Finding> findings = new ArrayList<>();

  ServerChecks(Client client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  List<Finding> run() {
    Instant asked = clock.instant();
    Reply health;
    try {
      health = client.ask(Call.outside("/healthz"));
    } catch (CommandFailure e) {
      findings.add(
          Finding.fail(
              "server",
              String.valueOf(e.getMessage()).replaceFirst("; start one with.*", ""),
              "start it with 'carillon serve', or say where it is with --server or CARILLON_SERVER"));
      return findings;
    }
    Instant answered = clock.instant();
    if (health.status() != 200) {
      findings.add(
          Finding.fail(
              "server",
              "%s answers %s to /healthz".formatted(address(), health.status()),
              "is that a Carillon server? See --server and CARILLON_SERVER"));
      return findings;
    }
    findings.add(Finding.ok("server", "answers at " + address()));
    readiness();
    boolean signedIn = token();
    serverClock(health, asked, answered);
    timeZones(signedIn);
    return findings;
  }

  private String address() {
    return client.endpoint().server().toString();
  }

  private void readiness() {
    Reply ready = client.ask(Call.outside("/readyz"));
    if (ready.status() == 200) {
      findings.add(Finding.ok("ready", "the server can do its work"));
      return;
    }
    var reasons = new StringJoiner("; ");
    ready.body().path("reasons").forEach(reason -> reasons.add(reason.asText()));
    String said = reasons.length() > 0 ? reasons.toString() : Json.text(ready.body(), "/detail");
    findings.add(Finding.fail("ready", "not ready: " + said, "its log says more"));
  }

  private boolean token() {
    Endpoint endpoint = client.endpoint();
    if (endpoint.token().isEmpty() && !endpoint.certified()) {
      findings.add(
          Finding.fail(
              "token",
              "none was found",
              "give one as CARILLON_TOKEN; 'carillon token create' makes them, on the server's"
                  + " machine beside its data folder"));
      return false;
    }
    Reply me = client.ask(Call.get("me"));
    if (me.status() != 200) {
      findings.add(
          Finding.fail(
              "token",
              "the one from %s is refused: %s"
                  .formatted(endpoint.tokenSource(), Json.text(me.body(), "/detail")),
              me.status() == 401
                  ? "it is revoked, expired or of another server; make another with 'carillon"
                      + " token create'"
                  : "see the log of the server"));
      return false;
    }
    findings.add(
        Finding.ok(
            "token",
            "%s, from %s; may %s"
                .formatted(
                    Json.text(me.body(), "/name"),
                    endpoint.tokenSource(),
                    rights(me.body()) + limits(me.body()))));
    if (endpoint.exposesToken()) {
      findings.add(
          Finding.warn(
              "token",
              "it goes over the network in the clear, where others can read it",
              "use https, or a tunnel to the server's machine"));
    }
    return true;
  }

  private static String limits(JsonNode me) {
    return me.path("scope").isObject() ? ", within its scope " + me.get("scope") : "";
  }

  private static String rights(JsonNode me) {
    String roles = me.has("role") ? Json.text(me, "/role") : Json.text(me, "/roles");
    if (roles.contains("admin")) {
      return "do everything (admin)";
    }
    if (roles.contains("editor")) {
      return "define, run and read, but not manage tokens and targets (editor)";
    }
    return roles.contains("operator")
        ? "pause, run and read, but not define (operator)"
        : "only read (viewer)";
  }

  private void serverClock(Reply reply, Instant asked, Instant answered) {
    findings.add(
        date(reply)
            .map(shown -> new RemoteClock(asked, answered, shown, Duration.ofSeconds(1)))
            .map(remoteClock -> remoteClock.judge("server clock", "the server"))
            .orElseGet(() -> Finding.skip("server clock", "the server does not tell the time")));
  }

  private static Optional<Instant> date(Reply reply) {
    try {
      return reply
          .headers()
          .firstValue("Date")
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private void timeZones(boolean signedIn) {
    String ours = Zones.version();
    String theirs = signedIn ? theirTimeZones() : "";
    if (theirs.isEmpty()) {
      findings.add(
          Finding.skip(
              "time zones", "rules %s here; the server does not tell its own".formatted(ours)));
    } else if (theirs.equals(ours)) {
      findings.add(Finding.ok("time zones", "the same rules here and there: " + ours));
    } else {
      findings.add(
          Finding.warn(
              "time zones",
              "rules %s here, %s on the server".formatted(ours, theirs),
              "'carillon cron' may show other times than the server keeps; update the older Java"));
    }
  }

  private String theirTimeZones() {
    Reply stats = client.ask(Call.get("stats"));
    return stats.status() == 200 ? Json.text(stats.body(), "/timeZones") : "";
  }
}
