package dev.carillon.console.browser;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.model.RunId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The history of a company: a run for each slot, a decision for those that its calendar left out,
 * with durations, lateness and failures as {@code company.json} says.
 */
final class Past implements AutoCloseable {
  private static final String RUN =
      """
      insert into carillon.history
             (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, node_id, started_at,
              finished_at, failure_code, failure_message, failure_details, reason)
      values (?, ?, 0, 1, 'scheduled', ?, '{}', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final RealServer server;
  private final JsonNode causes;
  private final List<UUID> nodes = new ArrayList<>();
  private final Connection connection;
  private final PreparedStatement run;
  private final Random random = new Random(7);
  private final Instant now;
  private final Map<RunId, String> told = new HashMap<>();

  /** Write the past of what was defined since {@code now}. */
  Past(RealServer server, DataSource database, JsonNode causes, Instant now) {
    this.server = server;
    this.causes = causes;
    this.now = now;
    server.get("/nodes").path("items").forEach(node -> nodes.add(id(node)));
    try {
      connection = database.getConnection();
      connection.setAutoCommit(false);
      run = connection.prepareStatement(RUN);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    LocalDate monday =
        LocalDate.ofInstant(now, ZoneOffset.UTC)
            .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    for (int week = 1; week < 54; week++) {
      execute("select carillon.create_history_partition(?)", monday.minusWeeks(week));
    }
  }

  private static UUID id(JsonNode node) {
    return UUID.fromString(node.path("id").asText());
  }

  /** Write what became of the slots of a schedule since it was made. */
  void write(JsonNode schedule) {
    int days = schedule.path("days").asInt();
    if (days == 0) {
      return;
    }
    String key = schedule.path("key").asText();
    long number = number(key);
    List<PastFires.Fire> fires =
        new PastFires(server, key, schedule, now).since(now.minus(Duration.ofDays(days)));
    List<PastFires.Fire> runs = fires.stream().filter(fire -> fire.due().isPresent()).toList();
    try {
      for (PastFires.Fire fire : fires) {
        if (fire.due().isEmpty()) {
          execute(
              "insert into carillon.decision (schedule_id, first_slot, last_slot, slots, reason, version, decided_at) values (?, ?, ?, 1, ?, 1, ?)",
              number,
              fire.slot(),
              fire.slot(),
              fire.reason(),
              fire.slot());
        }
      }
      for (int i = 0; i < runs.size(); i++) {
        add(schedule, number, runs, i);
      }
      run.executeBatch();
      if (schedule.has("failing")) {
        int failures = schedule.path("failing").asInt();
        execute(
            "insert into carillon.failure_streak (schedule_id, failures, since) values (?, ?, ?)",
            number,
            failures,
            runs.get(runs.size() - failures).slot());
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(key, e);
    }
  }

  private void add(JsonNode schedule, long number, List<PastFires.Fire> runs, int i)
      throws SQLException {
    PastFires.Fire fire = runs.get(i);
    Instant due = fire.due().orElseThrow();
    int left = runs.size() - i;
    String target = schedule.at("/is/target").asText();
    if (left > 1 && i > 0 && schedule.has("skips") && random.nextInt(70) == 0) {
      String reason = "run " + new RunId(number, runs.get(i - 1).slot(), 0) + " is unfinished";
      add(
          number,
          fire.slot(),
          target,
          due,
          "skipped",
          0,
          null,
          null,
          due,
          null,
          null,
          null,
          reason);
      return;
    }
    UUID node = nodes.get(random.nextInt(nodes.size()));
    Instant started = due.plusMillis(1 + random.nextInt(6) + (random.nextInt(40) == 0 ? 30 : 0));
    if (!fails(schedule, i, left)) {
      Instant finished = started.plusMillis(duration(schedule, left));
      add(
          number,
          fire.slot(),
          target,
          due,
          "succeeded",
          1,
          node,
          started,
          finished,
          null,
          null,
          null,
          null);
      return;
    }
    JsonNode cause = causes.path(schedule.path("cause").asText());
    int tries = schedule.path("attempts").asInt(1);
    var earlier = new ArrayList<String>();
    for (int attempt = 1; attempt < tries; attempt++) {
      Instant ended = started.plusMillis(1500 + random.nextInt(900));
      Instant again = ended.plusSeconds(10L << (attempt - 1));
      earlier.add(attempt(attempt, node, started, ended, again, cause));
      started = again.plusMillis(2);
    }
    boolean timeout = cause.path("code").asText().equals("timeout");
    Instant finished = started.plusMillis(timeout ? 600_020 : duration(schedule, left));
    add(
        number,
        fire.slot(),
        target,
        due,
        "failed",
        tries,
        node,
        started,
        finished,
        cause.path("code").asText(),
        cause.path("message").asText(),
        cause.has("details") ? cause.path("details").asText() : null,
        null);
    if (!earlier.isEmpty()) {
      told.put(new RunId(number, fire.slot(), 0), earlier.toString());
    }
  }

  private boolean fails(JsonNode schedule, int i, int left) {
    return left <= schedule.path("failing").asInt()
        || (schedule.has("recent") && i % 7 == 3 && left < 7 * schedule.path("recent").asInt())
        || (schedule.has("oneIn") && random.nextInt(schedule.path("oneIn").asInt()) == 0);
  }

  private static String attempt(
      int number, UUID node, Instant started, Instant ended, Instant again, JsonNode cause) {
    return """
        {"number": %d, "state": "failed", "node": "%s", "startedAt": "%s", "finishedAt": "%s", "nextAt": "%s", "code": "%s", "message": "%s"}
        """
        .formatted(
            number,
            node,
            started,
            ended,
            again,
            cause.path("code").asText(),
            cause.path("message").asText());
  }

  /* A log-normal spread around what is typical; the last runs of some take longer. */
  private long duration(JsonNode schedule, int left) {
    double late = left < 12 ? schedule.path("late").asDouble(1) : 1;
    double weekly = 1 + 0.15 * Math.sin(left / 9.0);
    return Math.round(
        schedule.path("ms").asDouble() * late * weekly * Math.exp(0.22 * random.nextGaussian()));
  }

  private void add(@Nullable Object... values) throws SQLException {
    Sql.bind(run, values);
    run.addBatch();
  }

  private long number(String key) {
    try (PreparedStatement query =
        connection.prepareStatement("select id from carillon.schedule where key = ?")) {
      query.setString(1, key);
      ResultSet rows = query.executeQuery();
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void execute(String statement, @Nullable Object... values) {
    try (PreparedStatement prepared = connection.prepareStatement(statement)) {
      Sql.bind(prepared, values);
      prepared.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(statement, e);
    }
  }

  /** Count what was written, give up failures of long ago, and let the database learn of it all. */
  @Override
  public void close() {
    told.forEach(
        (id, attempts) ->
            execute(
                "update carillon.history set attempts = ?::jsonb where schedule_id = ? and slot = ?",
                attempts,
                id.schedule(),
                id.slot()));
    execute(
        """
        update carillon.history
           set payload = version.payload,
               policy = jsonb_strip_nulls(jsonb_build_object(
                   'template', version.definition #>> '{timing,zone}',
                   'retry', version.definition -> 'retry',
                   'timeout', version.definition -> 'timeout'))
          from carillon.schedule_version as version
         where version.schedule_id = history.schedule_id
           and version.version = history.version
           and version.payload <> '{}'
        """);
    execute(
        """
        update carillon.history as run
           set sampled = true
          from (select distinct on (target, date_trunc('second', slot)) schedule_id, slot
                  from carillon.history
                 where state = 'succeeded'
                 order by target, date_trunc('second', slot), schedule_id) as first
         where run.schedule_id = first.schedule_id
           and run.slot = first.slot
        """);
    execute(
        """
        insert into carillon.run_count_delta (hour, target, state, runs)
        select date_trunc('hour', slot, 'UTC'), target, state, count(*)
          from carillon.history
         where slot < ?
         group by 1, 2, 3
        """,
        now);
    execute(
        """
        insert into carillon.dismissal (schedule_id, slot, ordinal, attempt, dismissed_at, dismissed_by, reason)
        select schedule_id, slot, ordinal, attempt, finished_at + interval '1 hour', 'ada', 'caught up by the next run'
          from carillon.history
         where state = 'failed'
           and finished_at < ?
        """,
        now.minus(Duration.ofHours(60)));
    try (connection) {
      connection.commit();
      connection.setAutoCommit(true);
      execute("analyze");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
