package dev.carillon.console.browser;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Markup in every text that a user can give: names, reasons, payloads, failures. */
final class HostileTexts {
  /** Markup that needs a space. */
  static final String MARKUP = Seed.HOSTILE;

  /** Markup for names, which have neither spaces nor slashes. */
  static final String NAME = "<marquee>" + "long-".repeat(12) + "name";

  /** Names of calendars and quiet hours are plain words. */
  static final String PLAIN = "calendar-of-hostile-texts";

  private HostileTexts() {}

  /** Give {@code server} such texts; return the run that has most of them. */
  static String plant(RealServer server) {
    server.put(
        "/calendars/%s?reason=%s".formatted(PLAIN, encoded(MARKUP)),
        filled(
            "{'zone': 'UTC', 'description': '%1$s', 'holidays': [{'date': '2026-12-24', 'name': '%1$s'}], 'recurringHolidays': [{'day': '05-01', 'name': '%1$s'}]}"));
    server.put(
        "/quiet-hours/" + PLAIN,
        filled(
            "{'action': 'skip', 'zone': 'UTC', 'windows': [{'hours': '01:00-02:00'}], 'description': '%1$s', 'tags': ['%1$s']}"));
    server.post(
        "/freeze",
        filled(
            "{'until': '%2$s', 'reason': '%1$s', 'tags': ['%1$s']}",
            Instant.now().plus(Duration.ofDays(30)).toString()));
    server.put(
        "/targets/" + encoded(NAME),
        filled(
            "{'type': 'http', 'url': 'https://hostile.invalid/?q=%%22%%3E%%3Cimg%%20src=x%%20onerror=alert(1)%%3E'}"));
    server.put("/targets/worked", "{\"type\": \"worker\"}");
    server.put(
        "/schedules/" + encoded(NAME),
        filled(
            "{'target': 'worked', 'timing': {'cron': '0 3 * * *'}, 'description': '%1$s', 'tags': ['%1$s'], 'payload': {'%1$s': '%1$s'}, 'retry': {'attempts': 1}, 'calendar': {'name': '"
                + PLAIN
                + "', 'roll': 'following'}}"));
    String run = failedRun(server);
    server.put(
        "/schedules/" + encoded(NAME),
        filled(
            "{'target': 'worked', 'timing': {'cron': '0 4 * * *'}, 'description': 'other %1$s', 'tags': ['%1$s'], 'payload': {'%1$s': 'other %1$s'}, 'retry': {'attempts': 1}}"));
    server.post("/schedules/" + encoded(NAME) + "/pause", filled("{'reason': '%1$s'}"));
    String canceled =
        server
            .post(
                "/runs",
                filled(
                    "{'target': 'worked', 'correlation': '%1$s', 'description': '%1$s', 'payload': {}}"))
            .path("id")
            .asText();
    server.post("/runs/" + canceled + "/cancel", filled("{'reason': '%1$s'}"));
    server.put(
        "/pings/" + encoded(NAME),
        filled("{'expect': {'successEvery': 'P1D'}, 'description': '%1$s', 'tags': ['%1$s']}"));
    server.post("/pings/" + encoded(NAME) + "/fail", filled("{'exitCode': 1, 'output': '%1$s'}"));
    server.put("/workflows/" + encoded(NAME) + "/versions/1", workflow());
    return run;
  }

  /** Make a token whose name is markup, and return it. */
  static String token(RealServer server, String role) {
    return server
        .post("/tokens", filled("{'name': '%1$s', 'roles': ['" + role + "']}"))
        .path("token")
        .asText();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String failedRun(RealServer server) {
    String run = server.post("/schedules/" + encoded(NAME) + "/run", "{}").path("id").asText();
    var claim =
        server
            .post(
                "/workers/claim",
                filled("{'worker': '%1$s', 'targets': ['worked'], 'max': 1, 'wait': 'PT10S'}"))
            .at("/runs/0");
    server.post(
        "/workers/complete",
        filled(
            "[{'id': '%2$s', 'attempt': %3$s, 'fence': '%4$s', 'outcome': 'failed', 'failure': {'code': '%1$s', 'message': '%1$s', 'details': '%1$s'}}]",
            claim.path("id").asText(),
            claim.path("attempt").asText(),
            claim.path("fence").asText()));
    server.once("/runs/" + run, found -> found.path("state").asText().equals("failed"));
    return run;
  }

  private static String workflow() {
    return filled(
        "{'user_id': '%1$s', 'triggers': [{'id': '%1$s', 'type': 'schedule_based', 'cron_expr': '0 5 * * *', 'timezone': 'UTC'}], 'nodes': [{'id': '%1$s'}]}");
  }

  private static String filled(String json, String... more) {
    var values = new Object[1 + more.length];
    values[0] = MARKUP.replace("'", "\\u0027");
    System.arraycopy(more, 0, values, 1, more.length);
    return json.replace('\'', '"').formatted(values);
  }
}
