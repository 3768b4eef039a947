package dev.carillon.benchmarks.measure;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends the requests of every view of the console, one after the other, each time with other values
 * where a view has some.
 */
public final class ConsoleCalls {
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final int WARM_UP = 2;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Random random = new Random(18);
  private final Instant now = Instant.now();
  private final ServerProcess server;
  private final int schedules;

  ConsoleCalls(ServerProcess server, int schedules) {
    this.server = server;
    this.schedules = schedules;
  }

  /** How long the answers to one request of a view took, in milliseconds. */
  public record Timing(
      String view, String request, int status, double medianMillis, double maxMillis) {}

  private record Call(String view, String name, Supplier<HttpRequest> request) {}

  /** Send each request {@code times} times. */
  public List<Timing> measure(int times) throws IOException, InterruptedException {
    var timings = new ArrayList<Timing>();
    for (Call call : calls(latestRunIds())) {
      timings.add(measure(call, times));
    }
    return timings;
  }

  /** Let workers fetch the runs of all targets; return those that the server refuses. */
  Map<String, Integer> addTargets() throws IOException, InterruptedException {
    var refused = new TreeMap<String, Integer>();
    for (int i = 0; i < ConsoleFill.TARGETS; i++) {
      HttpRequest put =
          request("/targets/" + ConsoleFill.target(i))
              .header("Content-Type", "application/json")
              .PUT(BodyPublishers.ofString("{\"type\": \"worker\"}"))
              .build();
      int status = send(put).statusCode();
      if (status >= 300) {
        refused.put(ConsoleFill.target(i), status);
      }
    }
    return refused;
  }

  private Timing measure(Call call, int times) throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UP; i++) {
      send(call.request.get());
    }
    double[] millis = new double[times];
    int status = 200;
    for (int i = 0; i < times; i++) {
      HttpRequest request = call.request.get();
      long start = System.nanoTime();
      status = Math.max(status, send(request).statusCode());
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    return new Timing(call.view, call.name, status, millis[times / 2], millis[times - 1]);
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.ofString());
  }

  private List<String> latestRunIds() throws IOException, InterruptedException {
    Matcher ids = ID.matcher(send(get("/runs?limit=100&to=" + at(Duration.ZERO))).body());
    var found = new ArrayList<String>();
    while (ids.find()) {
      found.add(ids.group(1));
    }
    return found;
  }

  private List<Call> calls(List<String> runs) {
    var calls = new ArrayList<Call>();
    add(calls, "every view", "status", () -> "/status");
    add(calls, "every view", "me", () -> "/me");
    addNow(calls);
    addSchedules(calls);
    addSchedule(calls);
    addRuns(calls);
    addRun(calls, runs);
    addTimeline(calls);
    addRest(calls);
    return calls;
  }

  private void addNow(List<Call> calls) {
    add(calls, "now", "activity", () -> "/activity");
    add(calls, "now", "stats", () -> "/stats");
    add(calls, "now", "forecast of an hour", () -> "/forecast?to=" + at(Duration.ofHours(1)));
    add(
        calls,
        "now",
        "failures of a day",
        () -> "/runs?state=failed&limit=200&from=" + at(Duration.ofDays(-1)));
    add(calls, "now", "nodes", () -> "/nodes?limit=100");
  }

  private void addSchedules(List<Call> calls) {
    String list = "/schedules?recent=true&limit=50";
    add(calls, "schedules", "first page", () -> list);
    add(calls, "schedules", "active ones", () -> list + "&status=active");
    add(calls, "schedules", "paused ones", () -> list + "&status=paused");
    add(calls, "schedules", "of a tag", () -> list + "&tag=team-" + random.nextInt(25));
    add(calls, "schedules", "of a tag without schedules", () -> list + "&tag=unknown");
    add(calls, "schedules", "of a target", () -> list + "&target=" + target());
    add(calls, "schedules", "with a payload", () -> list + "&payload=" + customer());
    add(calls, "schedules", "with a text in many keys", () -> list + "&q=team-07");
    add(calls, "schedules", "with a text in one key", () -> list + "&q=" + number());
    add(calls, "schedules", "with a text in none", () -> list + "&q=unheard-of");
  }

  private void addSchedule(List<Call> calls) {
    add(calls, "schedule", "the schedule", () -> "/schedules/" + key());
    add(calls, "schedule", "its runs", () -> "/runs?limit=50&schedule=" + anyKey());
    add(
        calls,
        "schedule",
        "its next fires",
        () -> "/schedules/" + key() + "/fires?limit=20&to=" + at(Duration.ofDays(365)));
    add(
        calls,
        "schedule",
        "slots of a year",
        () ->
            "/schedules/"
                + anyKey()
                + "/fires?limit=500&from="
                + at(Duration.ofDays(-364))
                + "&to="
                + at(Duration.ZERO));
    add(
        calls,
        "schedule",
        "days of a year",
        () -> "/schedules/" + anyKey() + "/days?from=" + at(Duration.ofDays(-364)));
    add(
        calls,
        "schedule",
        "why at an instant",
        () ->
            "/schedules/"
                + anyKey()
                + "/explain?at="
                + at(Duration.ofMinutes(-random.nextInt(40_000))));
    add(calls, "schedule", "its versions", () -> "/schedules/" + anyKey() + "/versions?limit=20");
    add(calls, "schedule", "its audit", () -> "/audit?limit=8&schedule=" + anyKey());
    calls.add(
        new Call(
            "editor",
            "a timing in words",
            () ->
                request("/timings/explain")
                    .header("Content-Type", "application/json")
                    .POST(
                        BodyPublishers.ofString(
                            "{\"timing\": {\"cron\": \"%s 9 * * 1-5\", \"zone\": \"Europe/Rome\"}, \"count\": 20}"
                                .formatted(random.nextInt(60))))
                    .build()));
  }

  private void addRuns(List<Call> calls) {
    add(calls, "runs", "first page", () -> "/runs?limit=50");
    for (String state :
        List.of("pending", "running", "succeeded", "failed", "canceled", "skipped")) {
      add(calls, "runs", state, () -> "/runs?limit=50&state=" + state);
    }
    add(calls, "runs", "of a target", () -> "/runs?limit=50&target=" + target());
    add(
        calls,
        "runs",
        "failed ones of a target in a day",
        () -> "/runs?limit=50&state=failed&target=" + target() + day());
    add(calls, "runs", "of a day", () -> "/runs?limit=50" + day());
    add(calls, "runs", "started by hand", () -> "/runs?limit=50&trigger=manual");
    add(
        calls,
        "runs",
        "of a node",
        () -> "/runs?limit=50&node=00000000-0000-0000-0000-000000000002");
    add(calls, "runs", "with a text in many", () -> "/runs?limit=50&q=ledger");
    add(calls, "runs", "with a text in none", () -> "/runs?limit=50&q=unheard-of");
    add(calls, "search", "schedules", () -> "/schedules?limit=8&q=" + number());
    add(calls, "search", "runs", () -> "/runs?limit=8&q=" + number());
  }

  private void addRun(List<Call> calls, List<String> runs) {
    Supplier<String> id = () -> runs.get(random.nextInt(runs.size()));
    add(calls, "run", "the run", () -> "/runs/" + id.get());
    add(calls, "run", "those it led to", () -> "/runs?limit=10&correlation=" + id.get());
    add(
        calls,
        "run",
        "the one before",
        () -> "/runs?limit=1&schedule=" + anyKey() + "&to=" + past());
    add(
        calls,
        "run",
        "the one after",
        () -> "/runs?limit=100&schedule=" + key() + "&from=" + past());
    add(calls, "run", "workers", () -> "/workers?limit=500");
  }

  private void addTimeline(List<Call> calls) {
    add(calls, "timeline", "runs of some hours", () -> "/runs?planned=true&limit=500" + hours());
    add(
        calls,
        "timeline",
        "runs of a target",
        () -> "/runs?planned=true&limit=500&target=" + target() + hours());
    add(calls, "timeline", "what runs", () -> "/runs?state=running&limit=100");
    add(calls, "timeline", "schedules that may fire", () -> "/schedules?status=active&limit=500");
  }

  private void addRest(List<Call> calls) {
    add(calls, "forecast", "a day", () -> "/forecast?to=" + at(Duration.ofDays(1)));
    add(
        calls,
        "forecast",
        "a week",
        () -> "/forecast?to=" + at(Duration.ofDays(7).minusSeconds(60)));
    add(calls, "dead letters", "500 of them", () -> "/dead-letters?limit=500");
    add(calls, "dead letters", "of a target", () -> "/dead-letters?limit=500&target=" + target());
    add(
        calls,
        "dead letters",
        "of a schedule",
        () -> "/dead-letters?limit=500&schedule=" + busyKey());
    add(calls, "dead letters", "with a text", () -> "/dead-letters?limit=500&q=ledger%2039");
    add(calls, "calendars", "calendars", () -> "/calendars?limit=500");
    add(calls, "calendars", "quiet hours", () -> "/quiet-hours?limit=500");
    add(calls, "calendar", "its users", () -> "/calendars/it/users?limit=50");
    add(calls, "calendar", "its days", () -> "/calendars/it/days?from=2027-01-01&to=2028-01-01");
    add(calls, "targets", "targets", () -> "/targets?limit=500");
    add(calls, "nodes", "nodes", () -> "/nodes?limit=500");
    add(calls, "audit", "first page", () -> "/audit?limit=50");
    add(calls, "audit", "of somebody", () -> "/audit?limit=50&actor=user-" + random.nextInt(50));
    add(calls, "audit", "of nobody", () -> "/audit?limit=50&actor=unknown");
    add(calls, "audit", "of an action", () -> "/audit?limit=50&action=schedule.paused");
    add(calls, "tokens", "tokens", () -> "/tokens?limit=50");
    add(calls, "workflows", "workflows", () -> "/workflows?limit=50");
  }

  private void add(List<Call> calls, String view, String name, Supplier<String> path) {
    calls.add(new Call(view, name, () -> get(path.get())));
  }

  private HttpRequest get(String path) {
    return request(path).build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.api(path))
        .header("Authorization", "Bearer " + ServerProcess.TOKEN)
        .timeout(Duration.ofMinutes(2));
  }

  private String key() {
    return ConsoleFill.key(random.nextInt(schedules));
  }

  private String busyKey() {
    return ConsoleFill.busyKey(random.nextInt(ConsoleFill.BUSY));
  }

  private String anyKey() {
    return random.nextBoolean() ? key() : busyKey();
  }

  private String number() {
    return String.format(Locale.ROOT, "%06d", random.nextInt(schedules));
  }

  private String target() {
    return ConsoleFill.target(random.nextInt(ConsoleFill.TARGETS));
  }

  private String customer() {
    int customer = random.nextInt(ConsoleFill.CUSTOMERS);
    return URLEncoder.encode("{\"customer\":" + customer + "}", StandardCharsets.UTF_8);
  }

  private String past() {
    return at(Duration.ofHours(-random.nextInt(24 * ConsoleFill.DAYS)));
  }

  private String day() {
    int days = random.nextInt(1, ConsoleFill.DAYS);
    return "&from=" + at(Duration.ofDays(-days)) + "&to=" + at(Duration.ofDays(1 - days));
  }

  private String hours() {
    int hours = random.nextInt(6, 24 * ConsoleFill.DAYS);
    return "&from=" + at(Duration.ofHours(-hours)) + "&to=" + at(Duration.ofHours(6 - hours));
  }

  private String at(Duration later) {
    return now.plus(later).toString();
  }
}
