package dev.carillon.console.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import javax.sql.DataSource;

/**
 * What the server of a company has: {@code company.json}, defined over REST, then moved into the
 * past, with the history that it would have.
 */
final class Company {
  private static final String RUNS_BY_THEIR_VERSION =
      """
      update carillon.history
         set version = edit.version
        from carillon.schedule_version as edit
       where edit.schedule_id = history.schedule_id
         and edit.created_at <= history.slot
         and edit.version > history.version
         and not exists (
             select from carillon.schedule_version as later
              where later.schedule_id = edit.schedule_id
                and later.created_at <= history.slot
                and later.version > edit.version)
      """;
  private static final String DECISIONS_BY_THEIR_VERSION =
      RUNS_BY_THEIR_VERSION
          .replace("history.slot", "decision.first_slot")
          .replace("history", "decision");

  private final RealServer server;
  private final DataSource database;
  private final Instant begun = Instant.now();
  private final JsonNode plan = plan();

  private Company(RealServer server, DataSource database) {
    this.server = server;
    this.database = database;
  }

  /** Define everything at {@code server}, whose database this is; {@code work} begins meanwhile. */
  static void plant(RealServer server, DataSource database, Runnable work) {
    new Company(server, database).plant(work);
  }

  private void plant(Runnable work) {
    plan.path("targets")
        .properties()
        .forEach(target -> server.put("/targets/" + target.getKey(), target.getValue().toString()));
    work.run();
    plan.path("calendars")
        .properties()
        .forEach(calendar -> calendar(calendar.getKey(), (ObjectNode) calendar.getValue()));
    plan.path("quietHours")
        .properties()
        .forEach(
            quiet -> server.put("/quiet-hours/" + quiet.getKey(), quiet.getValue().toString()));
    happened(days(360), "ops-bot");
    plan.path("schedules").forEach(this::schedule);
    try (var past = new Past(server, database, plan.path("causes"), begun)) {
      plan.path("schedules").forEach(past::write);
    }
    plan.path("edits").forEach(this::edit);
    Sql.update(database, RUNS_BY_THEIR_VERSION);
    Sql.update(database, DECISIONS_BY_THEIR_VERSION);
    workflows();
    server.post("/tokens", "{\"name\": \"finance-ci\", \"roles\": [\"editor\"]}");
    server.post(
        "/tokens",
        "{\"name\": \"warehouse-workers\", \"roles\": [\"operator\"], \"scope\": {\"targets\": [\"warehouse\"]}, \"expiresIn\": \"P90D\"}");
    server.post("/tokens", "{\"name\": \"wallboard\", \"roles\": [\"viewer\"]}");
    happened(days(1.1), "ops-bot");
  }

  private static JsonNode plan() {
    try (InputStream file = Company.class.getResourceAsStream("/company.json")) {
      return new ObjectMapper().readTree(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void calendar(String name, ObjectNode definition) {
    String country = definition.path("import").asText();
    definition.remove("import");
    server.put("/calendars/" + name, definition.toString());
    if (!country.isEmpty()) {
      int year = LocalDate.now(ZoneOffset.UTC).getYear();
      server.post(
          "/calendars/" + name + "/import",
          "{\"country\": \"%s\", \"years\": [%d, %d, %d]}"
              .formatted(country, year - 1, year, year + 1));
    }
  }

  private void schedule(JsonNode schedule) {
    String path = "/schedules/" + schedule.path("key").asText();
    server.put(path, schedule.path("is").toString().replace("in 44 days", inDays(44)));
    happened(days(schedule.path("days").asDouble(5) + 0.3), schedule.path("by").asText());
    if (schedule.has("paused")) {
      server.post(
          path + "/pause", "{\"reason\": \"%s\"}".formatted(schedule.path("paused").asText()));
    }
    if (schedule.has("retired")) {
      server.delete(path);
    }
    happened(days(2), "grace");
  }

  private static String inDays(int days) {
    return LocalDate.now(ZoneOffset.UTC).plusDays(days) + "T00:30:00Z";
  }

  private void edit(JsonNode edit) {
    server.patch("/schedules/" + edit.path("key").asText(), edit.path("patch").toString());
    happened(days(edit.path("days").asDouble()), edit.path("by").asText());
  }

  private void workflows() {
    for (int version = 1; version <= 2; version++) {
      server.put(
          "/workflows/onboarding/versions/" + version,
          """
          {"user_id": "grace", "triggers": [{"id": "nightly", "type": "schedule_based", "cron_expr": "0 %d * * *", "timezone": "Europe/Rome", "target": "mailer"}],
           "nodes": [{"id": "invite"}, {"id": "remind", "after": ["invite"]}]}
          """
              .formatted(version + 2));
    }
  }

  private static Duration days(double days) {
    return Duration.ofMinutes(Math.round(days * 24 * 60));
  }

  /** What was written since the last call happened so long ago, and {@code by} did it. */
  private void happened(Duration ago, String by) {
    Instant at = Instant.now().minus(ago);
    for (String statement :
        List.of(
            "update carillon.audit set at = ?, actor = ? where at >= ?",
            "update carillon.schedule set updated_at = ?, updated_by = ? where updated_at >= ?",
            "update carillon.schedule set created_at = ?, created_by = ? where created_at >= ?",
            "update carillon.schedule_version set created_at = ?, created_by = ? where created_at >= ?",
            "update carillon.calendar_version set created_at = ?, created_by = ? where created_at >= ?",
            "update carillon.calendar set created_at = ?, created_by = ? where created_at >= ?",
            "update carillon.quiet_hours_version set created_at = ?, created_by = ? where created_at >= ?",
            "update carillon.quiet_hours set created_at = ?, created_by = ? where created_at >= ?")) {
      Sql.update(database, statement, at, by, begun);
    }
  }
}
