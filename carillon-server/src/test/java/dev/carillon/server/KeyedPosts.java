package dev.carillon.server;

import dev.carillon.server.web.Request;
import dev.carillon.target.Outcome;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Every POST that has one effect per {@code Idempotency-Key}, and why others have not. */
final class KeyedPosts {
  /** The routes whose repetition needs no key, or can have none, by operation. */
  static final Map<String, String> EXEMPT =
      Map.of(
          "claimRuns", "a repeated claim is a new one; what nobody works on is lost with its lease",
          "renewLeases", "a renewal counts from when it comes",
          "completeRuns", "the fence of each lease lets one end count, and the same again is done",
          "testTarget", "sends a message and changes nothing",
          "explainTiming", "changes nothing",
          "createSignInLink", "a second link ends after ten minutes, as the first does",
          "signIn", "a code counts once, whoever sends it",
          "beginSession", "a second session ends as the first does");

  private KeyedPosts() {}

  /**
   * A request that changes something.
   *
   * @param operation the name of its route
   * @param variant what is special about it; may be empty
   * @param prepared makes what it needs, with names of its own, and returns it
   */
  record Post(String operation, String variant, BiFunction<Site, String, Request> prepared) {
    Request prepare(Site site, String name) {
      return prepared.apply(site, name).header("Idempotency-Key", name);
    }

    @Override
    public String toString() {
      return variant.isEmpty() ? operation : operation + " " + variant;
    }
  }

  static List<Post> all() {
    return List.of(
        new Post("createSchedule", "without a key", (site, name) -> schedule(site, "")),
        new Post(
            "createSchedule",
            "with a key",
            (site, name) -> schedule(site, "\"key\": \"%s\", ".formatted(name))),
        new Post(
            "pauseSchedule", "", (site, name) -> on(site, name, "pause", "{\"reason\": \"r\"}")),
        new Post("resumeSchedule", "", KeyedPosts::resume),
        new Post("runSchedule", "", (site, name) -> on(site, name, "run", "{}")),
        new Post(
            "runSchedule",
            "with another overlap",
            (site, name) -> on(site, name, "run", "{\"overlap\": \"allow\"}")),
        new Post("backfillSchedule", "", KeyedPosts::backfill),
        new Post("rollbackSchedule", "", KeyedPosts::rollback),
        new Post("changeSchedules", "pause", (site, name) -> bulk(site, name, "pause")),
        new Post("changeSchedules", "run", (site, name) -> bulk(site, name, "run")),
        new Post("changeSchedules", "delete", (site, name) -> bulk(site, name, "delete")),
        new Post("changeSchedules", "resume", KeyedPosts::bulkResume),
        new Post(
            "createRun",
            "",
            (site, name) -> site.request("POST", "/runs", "{\"target\": \"noop\"}")),
        new Post("cancelRun", "", KeyedPosts::cancel),
        new Post("retryRun", "", KeyedPosts::retry),
        new Post("reportRun", "succeeded", (site, name) -> report(site, "\"succeeded\"")),
        new Post("reportRun", "failed", (site, name) -> report(site, "\"failed\"")),
        new Post("redriveDeadLetters", "by id", (site, name) -> dead(site, name, "redrive", true)),
        new Post(
            "redriveDeadLetters", "by filter", (site, name) -> dead(site, name, "redrive", false)),
        new Post("dismissDeadLetters", "by id", (site, name) -> dead(site, name, "dismiss", true)),
        new Post(
            "dismissDeadLetters", "by filter", (site, name) -> dead(site, name, "dismiss", false)),
        new Post(
            "createTimeout",
            "",
            (site, name) ->
                site.request(
                    "POST",
                    "/workflow-instances/" + name + "/timeouts",
                    "{\"timeout\": \"PT5M\", \"handlerStep\": \"s\", \"target\": \"noop\"}")),
        new Post("ping", "", (site, name) -> ping(site, name, "")),
        new Post("pingStart", "", (site, name) -> ping(site, name, "/start")),
        new Post("pingSuccess", "", (site, name) -> ping(site, name, "/success")),
        new Post("pingFail", "", (site, name) -> ping(site, name, "/fail")),
        new Post("importHolidays", "into a new one", (site, name) -> holidays(site, name)),
        new Post("importHolidays", "into one in use", KeyedPosts::holidaysInUse),
        new Post("freeze", "", KeyedPosts::freeze),
        new Post("thaw", "", KeyedPosts::thaw),
        new Post("startWorkflow", "", KeyedPosts::launch),
        new Post("startRegisteredWorkflow", "", KeyedPosts::launchRegistered),
        new Post("upsertRegisteredSchedule", "", KeyedPosts::upsert),
        new Post("pauseRegisteredSchedule", "", KeyedPosts::pauseRegistered),
        new Post("createCronJob", "", (site, name) -> cronJob(site, name)),
        new Post("replaceCronJob", "", KeyedPosts::replaceCronJob),
        new Post("runCronJob", "", KeyedPosts::runCronJob),
        new Post(
            "createToken",
            "",
            (site, name) ->
                site.request("POST", "/tokens", "{\"name\": \"n\", \"roles\": [\"viewer\"]}")));
  }

  private static Request schedule(Site site, String key) {
    return site.request(
        "POST",
        "/schedules",
        "{%s\"target\": \"noop\", \"timing\": {\"cron\": \"0 3 * * *\"}}".formatted(key));
  }

  private static void put(Site site, String key, String more) {
    fine(
        site.put(
            "/schedules/" + key,
            "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 3 * * *\"}%s}".formatted(more)));
  }

  private static Request on(Site site, String name, String action, String body) {
    put(site, name, "");
    return site.request("POST", "/schedules/%s/%s".formatted(name, action), body);
  }

  private static Request resume(Site site, String name) {
    Request resume = on(site, name, "resume", "{}");
    fine(site.post("/schedules/%s/pause".formatted(name), "{\"reason\": \"r\"}"));
    return resume;
  }

  private static Request backfill(Site site, String name) {
    return on(
        site,
        name,
        "backfill",
        "{\"from\": \"2025-12-20T00:00:00Z\", \"to\": \"2025-12-29T00:00:00Z\"}");
  }

  private static Request rollback(Site site, String name) {
    Request rollback = on(site, name, "rollback", "{\"version\": 1}");
    put(site, name, ", \"description\": \"other\"");
    return rollback;
  }

  private static Request bulk(Site site, String name, String action) {
    for (int i = 0; i < 3; i++) {
      put(site, name + i, ", \"tags\": [\"%s\"]".formatted(name));
    }
    return site.request(
        "POST",
        "/schedules/bulk",
        "{\"action\": \"%s\", \"reason\": \"r\", \"expect\": 3, \"filter\": {\"tag\": \"%s\"}}"
            .formatted(action, name));
  }

  private static Request bulkResume(Site site, String name) {
    Request resume = bulk(site, name, "resume");
    for (int i = 0; i < 3; i++) {
      fine(site.post("/schedules/%s/pause".formatted(name + i), "{\"reason\": \"r\"}"));
    }
    return resume;
  }

  private static String run(Site site, String target, String more) {
    return fine(site.post("/runs", "{\"target\": \"%s\"%s}".formatted(target, more))).at("/id");
  }

  private static Request cancel(Site site, String name) {
    return site.request(
        "POST",
        "/runs/%s/cancel".formatted(run(site, "noop", ", \"in\": \"PT1H\"")),
        "{\"reason\": \"r\"}");
  }

  private static Request retry(Site site, String name) {
    String id = run(site, "fail", "");
    site.carillon.runDue();
    return site.request("POST", "/runs/%s/retry".formatted(id), "{}");
  }

  private static Request report(Site site, String status) {
    site.carillon
        .carillon()
        .targets()
        .put("elsewhere", (context, done) -> done.accept(Outcome.accepted()), 10);
    String id = run(site, "elsewhere", ", \"retry\": {\"attempts\": 3}");
    site.carillon.runDue();
    return site.request(
        "POST", "/runs/%s/status".formatted(id), "{\"status\": %s}".formatted(status));
  }

  private static Request dead(Site site, String name, String what, boolean byId) {
    String word = ", \"correlation\": \"%s\"".formatted(name);
    String ids =
        List.of(run(site, "fail", word), run(site, "fail", word)).stream()
            .map("\"%s\""::formatted)
            .toList()
            .toString();
    site.carillon.runDue();
    String which =
        byId
            ? "\"ids\": " + ids
            : "\"expect\": 2, \"filter\": {\"correlation\": \"%s\"}".formatted(name);
    String reason = what.equals("dismiss") ? ", \"reason\": \"r\"" : "";
    return site.request("POST", "/dead-letters/" + what, "{%s%s}".formatted(which, reason));
  }

  private static void deploy(Site site, String name) {
    fine(
        site.put(
            "/workflows/%s/versions/1".formatted(name),
            "{\"user_id\": \"ada\", \"triggers\": [], \"nodes\": [{\"id\": \"a\"}]}"));
    fine(site.put("/targets/workflow", "{\"type\": \"noop\"}"));
  }

  private static Request ping(Site site, String name, String what) {
    site.put("/pings/" + name, "{\"expect\": {\"successEvery\": \"P1D\"}}");
    return site.request("POST", "/pings/" + name + what, "{\"exitCode\": 0}");
  }

  private static Request holidays(Site site, String name) {
    return site.request(
        "POST",
        "/calendars/%s/import?zone=Europe/Rome".formatted(name),
        "{\"country\": \"IT\", \"years\": [2026]}");
  }

  private static Request holidaysInUse(Site site, String name) {
    fine(site.put("/calendars/" + name, "{\"zone\": \"Europe/Rome\"}"));
    put(site, name, ", \"calendar\": {\"name\": \"%s\"}".formatted(name));
    return holidays(site, name);
  }

  private static Request freeze(Site site, String name) {
    put(site, name, ", \"tags\": [\"%s\"]".formatted(name));
    return site.request(
        "POST",
        "/freeze",
        "{\"until\": \"2026-01-03T00:00:00Z\", \"reason\": \"r\", \"tags\": [\"%s\"]}"
            .formatted(name));
  }

  private static Request thaw(Site site, String name) {
    fine(site.send(freeze(site, name)));
    return site.request("POST", "/thaw", "{\"tags\": [\"%s\"]}".formatted(name));
  }

  private static Request launch(Site site, String name) {
    deploy(site, name);
    return site.request(
        "POST",
        "/run-launcher/start",
        "{\"workflowId\": \"%s\", \"userId\": \"u\", \"idempotencyKey\": \"%s\", \"target\": \"noop\"}"
            .formatted(name, name));
  }

  private static Request launchRegistered(Site site, String name) {
    deploy(site, name);
    return site.requestTo(
        "POST",
        "/run-launcher/start",
        ("{\"workflow_id\": \"%s\", \"version\": 1, \"user_id\": \"u\","
                + " \"scheduled_for\": \"2026-01-01T00:00:00Z\", \"idempotency_key\": \"%s\"}")
            .formatted(name, name));
  }

  private static Request upsert(Site site, String name) {
    return site.requestTo(
        "POST",
        "/schedules/upsert",
        ("{\"schedule_id\": \"%s\", \"workflow_id\": \"w\", \"version\": 1, \"user_id\": \"u\","
                + " \"target\": \"noop\", \"cron_expr\": \"0 3 * * *\", \"timezone\": \"UTC\"}")
            .formatted(name));
  }

  private static Request pauseRegistered(Site site, String name) {
    fine(site.send(upsert(site, name)));
    return site.requestTo(
        "POST", "/schedules/pause", "{\"schedule_id\": \"%s\", \"paused\": true}".formatted(name));
  }

  private static Request cronJob(Site site, String name) {
    return site.requestTo(
        "POST",
        "/api/v2/admin/cron/jobs",
        ("{\"jobKey\": \"%s\", \"target\": \"noop\", \"scheduleType\": \"recurring\","
                + " \"cronExpression\": \"0 3 * * *\", \"timezone\": \"UTC\"}")
            .formatted(name));
  }

  private static String cronJobId(Site site, String name) {
    return fine(site.send(cronJob(site, name))).at("/id");
  }

  private static Request replaceCronJob(Site site, String name) {
    return site.requestTo(
        "POST",
        "/api/v2/admin/cron/jobs/%s/new-version".formatted(cronJobId(site, name)),
        "{\"cronExpression\": \"0 4 * * *\"}");
  }

  private static Request runCronJob(Site site, String name) {
    return site.requestTo(
        "POST", "/api/v2/admin/cron/jobs/%s/run-now".formatted(cronJobId(site, name)), "{}");
  }

  private static Answer fine(Answer answer) {
    if (answer.status() >= 300) {
      throw new IllegalStateException(answer.text());
    }
    return answer;
  }
}
