package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Client;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.time.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/*
 * The server keeps when such a schedule fires, not the delay. Which delay that was follows from the
 * version in which the moment first stood: it is that much later than the version is old.
 */
/**
 * Keeps a delay in a file from counting anew each time the file is applied: one that is as it was
 * when the schedule got its moment means that very moment.
 */
final class AppliedDelay {
  private static final int MAX_VERSIONS = 500;

  private AppliedDelay() {}

  /** Return {@code document}, with the moment that its schedule has instead of the same delay. */
  static Document settled(Client client, String key, Document document) {
    String delay = Json.text(document.body(), "/timing/in");
    if (delay.isEmpty()) {
      return document;
    }
    return moment(client, key, document.body())
        .map(
            at -> {
              ObjectNode body = document.body().deepCopy();
              body.putObject("timing").put("at", at.toString());
              return document.with(body);
            })
        .orElse(document);
  }

  private static Optional<Instant> moment(Client client, String key, JsonNode wanted) {
    JsonNode versions;
    try {
      versions = Listing.of(client, Call.get("schedules", key, "versions"), MAX_VERSIONS).items();
    } catch (RefusedException e) {
      return Optional.empty(); // there is none yet, or the preview reports what is wrong
    }
    Optional<Instant> now = Json.instant(versions, "/0/timing/at");
    Optional<Instant> since = Optional.empty();
    for (JsonNode version : versions) { // the newest first
      if (now.isEmpty() || !now.equals(Json.instant(version, "/timing/at"))) {
        break;
      }
      since = Json.instant(version, "/createdAt");
    }
    boolean same =
        since.stream().flatMap(begin -> ends(begin, wanted.path("timing"))).anyMatch(now::equals);
    return same ? now : Optional.empty();
  }

  /* By the clock, and by the calendar of the zone, which differ where clocks are changed. */
  private static Stream<Optional<Instant>> ends(Instant begin, JsonNode timing) {
    String delay = Json.text(timing, "/in");
    String zone = Json.text(timing, "/zone");
    return Stream.of(
        attempt(() -> begin.plus(DurationText.parse(delay))),
        attempt(
            () ->
                begin
                    .atZone(zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone))
                    .plus(Period.parse(delay))
                    .toInstant()));
  }

  private static Optional<Instant> attempt(Supplier<Instant> reading) {
    try {
      return Optional.of(reading.get());
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }
}
