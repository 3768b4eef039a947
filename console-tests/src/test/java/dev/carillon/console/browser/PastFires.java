package dev.carillon.console.browser;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.time.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The slots that a schedule had until {@code now}, and when they were due. */
record PastFires(RealServer server, String key, JsonNode schedule, Instant now) {
  private static final int PAGE = 100;

  /**
   * A slot.
   *
   * @param due when its run was due; empty if there was none, for {@code reason}
   */
  record Fire(Instant slot, Optional<Instant> due, String reason) {}

  List<Fire> since(Instant from) {
    JsonNode is = schedule.path("is");
    if (is.has("calendar") || is.has("quietHours") || is.path("timing").has("calendar")) {
      return judged(is, from);
    }
    var fires = new ArrayList<Fire>();
    // What is still at work when the server starts would be a run, and no history.
    long longest = schedule.path("ms").asLong() * 2;
    Instant until =
        now.minusMillis(
            schedule.path("cause").asText().equals("timeout")
                ? Math.max(longest, 601_000)
                : longest);
    for (Instant at = next(from); at.isBefore(until); at = next(at)) {
      fires.add(new Fire(at, Optional.of(at), ""));
    }
    return fires;
  }

  private Instant next(Instant after) {
    JsonNode timing = schedule.at("/is/timing");
    if (timing.has("every")) {
      long seconds = Duration.parse(timing.path("every").asText()).toSeconds();
      return Instant.ofEpochSecond((after.getEpochSecond() / seconds + 1) * seconds);
    }
    ZoneId zone = ZoneId.of(timing.path("zone").asText("UTC"));
    return Timing.parse(timing.path("cron").asText(), zone, key).next(after).orElseThrow();
  }

  /* When a calendar or quiet hours say that slots are due is asked of the server. */
  private List<Fire> judged(JsonNode is, Instant from) {
    var fires = new ArrayList<Fire>();
    Instant at = from;
    while (true) {
      for (JsonNode fire : server.post("/timings/explain", question(is, at)).path("fires")) {
        Instant slot = Instant.parse(fire.path("slot").asText());
        Optional<Instant> due =
            Optional.of(fire.path("dueAt").asText("null"))
                .filter(text -> !text.equals("null"))
                .map(Instant::parse);
        if (!due.orElse(slot).isBefore(now.minus(Duration.ofHours(1)))) {
          return fires;
        }
        boolean merged = due.isPresent() && fires.stream().anyMatch(one -> one.due().equals(due));
        fires.add(
            new Fire(
                slot,
                merged ? Optional.empty() : due,
                is.has("quietHours") ? "quiet_hours" : "calendar"));
        at = slot;
      }
    }
  }

  private static String question(JsonNode is, Instant from) {
    var question = new StringBuilder("{\"count\": %d, \"from\": \"%s\"".formatted(PAGE, from));
    for (String field : List.of("timing", "calendar", "quietHours")) {
      if (is.has(field)) {
        question.append(", \"%s\": %s".formatted(field, is.path(field)));
      }
    }
    return question + "}";
  }
}
