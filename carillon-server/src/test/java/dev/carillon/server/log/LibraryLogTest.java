package dev.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.engine.LogListener;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.HostileGen;
import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the library logs, as a pattern shows it that knows nothing of key-value pairs. */
@ExtendWith(EmbeddedPostgres.class)
class LibraryLogTest {
  private final Logger logger = LogbackLoggers.named("dev.carillon");

  /* Other tests log at the same time, on threads of theirs. */
  private final String thread = Thread.currentThread().getName();
  private final ListAppender<ILoggingEvent> log =
      new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getThreadName().equals(thread)) {
            super.append(event);
          }
        }
      };
  private final RecordingTarget bell = new RecordingTarget();
  private final Belfry belfry;

  LibraryLogTest(DataSource postgres) {
    belfry = new Belfry(postgres);
  }

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void close() {
    belfry.close();
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  private ManualCarillon node() {
    return belfry.node(builder -> builder.target("bell", bell));
  }

  private Optional<ILoggingEvent> line(String beginning) {
    return log.list.stream()
        .filter(event -> event.getFormattedMessage().startsWith(beginning))
        .findFirst();
  }

  private ILoggingEvent failed() {
    bell.failing("no rope");
    ManualCarillon node = node();
    node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();
    return line("run failed: ").orElseThrow();
  }

  @Test
  void a_failed_run_is_logged_with_its_values_its_message_and_its_trace() {
    ILoggingEvent event = failed();

    assertThat(event.getLevel()).isEqualTo(Level.WARN);
    assertThat(event.getFormattedMessage())
        .startsWith("run failed: run=" + bell.calls().get(0).id() + " schedule=- target=bell ")
        .contains(" attempt=1 code=IllegalStateException problem=\"no rope\"\n")
        .contains("\n\tjava.lang.IllegalStateException: no rope\n\tat ");
  }

  @Test
  void as_json_the_values_stay_apart_and_the_trace_has_a_name_of_its_own() {
    String line = new String(new JsonLogLayout().encode(failed()), StandardCharsets.UTF_8);

    assertThat(line)
        .contains("\"code\":\"IllegalStateException\"", "\"problem\":\"no rope\"", "\"attempt\":1")
        .contains("\"details\":\"java.lang.IllegalStateException: no rope\\n\\tat ")
        .contains("problem=\\\"no rope\\\"\",");
  }

  @Test
  void a_hostile_failure_forges_no_line_whoever_appends_it() {
    String evil = "x\n2026-11-17T00:00:00.000Z WARN  Server: forged\u001b[2J\u202e\u2028";
    var thrown = new IllegalStateException(evil, new RuntimeException(evil));
    var failure =
        new Failure("Broken", evil, Optional.of(evil + "\n\tat a.B.c(B.java:1)\n" + evil));
    var run = new Event.RunRef(new RunId(1, Instant.EPOCH, 0), Optional.of(evil), evil);
    var listener = new LogListener();
    listener.on(
        new Event.TurnFailed(
            Instant.EPOCH, EngineLoop.PLANNING, thrown.toString(), Optional.of(thrown)));
    listener.on(
        new Event.Finished(
            Instant.EPOCH,
            run,
            RunState.FAILED,
            Instant.EPOCH,
            Optional.empty(),
            1,
            Optional.of(failure),
            Optional.empty()));

    assertThat(log.list).hasSize(2);
    for (ILoggingEvent event : log.list) {
      var shown = new StringBuilder(event.getFormattedMessage());
      Optional.ofNullable(event.getKeyValuePairs())
          .ifPresent(pairs -> pairs.forEach(pair -> shown.append("\n\t").append(pair)));
      for (IThrowableProxy e = event.getThrowableProxy(); e != null; e = e.getCause()) {
        shown.append("\n\t").append(e.getMessage());
      }
      assertThat(HostileGen.harmful(shown.toString().replace("\t", ""))).isEqualTo(-1);
      assertThat(event.getFormattedMessage().lines().skip(1)).allMatch(l -> l.startsWith("\t"));
    }
  }

  @Test
  void a_retried_run_is_logged_with_when_and_why_and_not_as_a_warning() {
    bell.failing("no rope");
    ManualCarillon node = node();
    RunId id = node.runs().enqueue(RunDraft.of("bell").retry(Retry.times(2)));
    node.runDue();

    ILoggingEvent event = line("run failed and will be tried again: ").orElseThrow();
    assertThat(event.getLevel()).isEqualTo(Level.INFO);
    assertThat(event.getFormattedMessage())
        .contains("run=" + id, " nextAt=2026-", " problem=\"no rope\"");
  }

  @Test
  void the_restart_of_the_only_node_warns_of_nothing() {
    ManualCarillon first = node();
    first
        .schedules()
        .create(ScheduleDraft.named("minutely").target("bell").every(Duration.ofSeconds(10)));
    first.pass(Duration.ofMinutes(2));
    first.close();
    belfry.clock().advance(Duration.ofMinutes(30));
    node().pass(Duration.ofMinutes(2));

    assertThat(List.copyOf(log.list))
        .isNotEmpty()
        .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
  }

  @Test
  void an_unexpected_failure_of_a_loop_has_its_stack_trace_the_first_time_only() {
    var cause = new IllegalStateException("no rope");
    var failed =
        new Event.TurnFailed(
            Instant.EPOCH, EngineLoop.PLANNING, cause.toString(), Optional.of(cause));
    var listener = new LogListener();
    listener.on(failed);
    listener.on(failed);

    assertThat(log.list)
        .filteredOn(line -> line.getFormattedMessage().contains("no rope"))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getFormattedMessage())
                  .startsWith("a turn failed; trying again: step=carillon-planning problem=");
              assertThat(line.getThrowableProxy().getMessage()).isEqualTo("no rope");
              assertThat(line.getThrowableProxy().getStackTraceElementProxyArray()).isNotEmpty();
            });
  }

  @Test
  void a_database_that_is_away_is_logged_without_stack_traces() {
    var cause = StoreException.of("claim", new SQLException("gone", "08006"));
    new LogListener()
        .on(
            new Event.TurnFailed(
                Instant.EPOCH, EngineLoop.CLAIMING, "no bell", Optional.of(cause)));

    assertThat(log.list)
        .filteredOn(line -> line.getFormattedMessage().contains("no bell"))
        .singleElement()
        .satisfies(line -> assertThat(line.getThrowableProxy()).isNull());
  }
}
