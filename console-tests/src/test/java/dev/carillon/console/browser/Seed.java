package dev.carillon.console.browser;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a server has that has been in use: schedules of many kinds, runs, failures, hostile names.
 */
final class Seed {
  /** Markup where a reader expects a word. */
  static final String HOSTILE = "<img src=x onerror=document.title='hacked'>";

  private Seed() {}

  static void plant(RealServer server) {
    // Nobody listens there, so that what is sent to it fails.
    server.put(
        "/targets/billing", "{\"type\": \"http\", \"url\": \"https://billing.invalid/close\"}");
    server.put("/targets/recon", "{\"type\": \"worker\"}");
    server.put("/targets/" + encoded(HOSTILE), "{\"type\": \"worker\"}");
    server.post("/tokens", "{\"name\": \"%s\", \"roles\": [\"viewer\"]}".formatted(HOSTILE));
    server.put("/workflows/" + encoded(HOSTILE) + "/versions/1", "{\"nodes\": []}");
    for (int version = 1; version <= 2; version++) {
      server.put("/workflows/onboarding/versions/" + version, graph(version));
    }
    for (String[] schedule :
        List.of(
            new String[] {
              "invoice-close",
              "billing",
              "{\"cron\": \"0 14 * * 1-5\", \"zone\": \"Europe/Rome\"}",
              "finance",
              "Closes the open invoices of the day"
            },
            new String[] {
              "fx-rates", "log", "{\"every\": \"PT5M\"}", "finance", "Fetches exchange rates"
            },
            new String[] {
              "month-end",
              "noop",
              "{\"cron\": \"0 18 L * *\", \"zone\": \"Europe/Rome\"}",
              "month-end",
              "Closes the month"
            },
            new String[] {
              "dunning",
              "log",
              "{\"cron\": \"30 9 * * 1\", \"zone\": \"Europe/Berlin\"}",
              "mail",
              "Reminds of what is due"
            },
            new String[] {
              "reconcile", "recon", "{\"cron\": \"7 * * * *\"}", "finance", "Compares ledgers"
            },
            new String[] {
              "tax-export",
              "noop",
              "{\"cron\": \"0 4 1 * *\", \"zone\": \"Europe/Rome\"}",
              "tax",
              "Exports taxes"
            },
            new String[] {
              "search-index",
              "log",
              "{\"cron\": \"*/15 * * * *\"}",
              "search",
              "Keeps the index fresh"
            },
            new String[] {
              "thumbnails", "log", "{\"every\": \"PT1M\"}", "media", "Makes small pictures"
            },
            new String[] {
              HOSTILE.replace(" ", "_"), "log", "{\"cron\": \"0 3 * * *\"}", "x", HOSTILE
            })) {
      server.put(
          "/schedules/" + encoded(schedule[0]),
          "{\"target\": \"%s\", \"timing\": %s, \"tags\": [\"%s\"], \"description\": \"%s\", \"retry\": {\"attempts\": 1}}"
              .formatted(schedule[1], schedule[2], schedule[3], schedule[4]));
    }
    for (int i = 0; i < 12; i++) {
      run(server, "fx-rates");
      run(server, "search-index");
    }
    for (int i = 0; i < 3; i++) {
      run(server, "invoice-close");
    }
    run(server, "month-end");
    run(server, "reconcile");
    server.post(
        "/runs",
        "{\"target\": \"recon\", \"correlation\": \"order-7\", \"payload\": {\"order\": 7}}");
    server.post("/schedules/tax-export/pause", "{\"reason\": \"audit is on until the first\"}");
    String hostile =
        server
            .post("/runs", "{\"target\": \"recon\", \"correlation\": \"hostile\"}")
            .path("id")
            .asText();
    server.post("/runs/" + hostile + "/cancel", "{\"reason\": \"%s\"}".formatted(HOSTILE));
    server.once("/runs?state=failed", page -> page.path("items").size() >= 3);
    server.once("/runs?state=succeeded", page -> page.path("items").size() >= 24);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String graph(int version) {
    return """
        {"user_id": "ada",
         "triggers": [{"id": "nightly", "type": "schedule_based", "cron_expr": "0 %s * * *", "timezone": "Europe/Rome"},
                      {"id": "on-mail", "type": "webhook"}],
         "nodes": [{"id": "fetch"}, {"id": "send", "after": ["fetch"]}]}
        """
        .formatted(version);
  }

  private static void run(RealServer server, String schedule) {
    server.post("/schedules/" + schedule + "/run", "{\"overlap\": \"allow\"}");
  }
}
