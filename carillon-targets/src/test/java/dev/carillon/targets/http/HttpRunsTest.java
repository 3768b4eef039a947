package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.Retry;
import dev.carillon.targets.EndpointGone;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of runs by how their endpoint answers. */
@ExtendWith(EmbeddedPostgres.class)
class HttpRunsTest {
  private final Belfry belfry;
  private final HttpSender sender = HttpSender.start(AddressGuard.allowing(List.of("127.0.0.1")));
  private volatile Endpoint.Manner manner = exchange -> Endpoint.reply(exchange, 200, "");
  private final Endpoint endpoint = Endpoint.answering(exchange -> manner.answer(exchange));
  private final ManualCarillon node;

  HttpRunsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    var target =
        new HttpTarget(
            sender,
            HttpTargetSettings.parse(Map.of("url", endpoint.url())),
            belfry.clock(),
            this::pause);
    node = belfry.node(builder -> builder.asyncTarget("hook", target));
  }

  @AfterEach
  void close() {
    belfry.close();
    sender.close();
    endpoint.close();
  }

  private void pause(EndpointGone endpointGone) {
    endpointGone.schedule().ifPresent(key -> node.schedules().pause(key, endpointGone.reason()));
  }

  private Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  private Run once(RunId id, RunState state) {
    Await.until(
        "the run " + state, () -> node.runDue().runs().get(id).orElseThrow().state() == state);
    return run(id);
  }

  @Test
  void a_run_is_delivered_and_succeeds() {
    RunId id = node.runs().enqueue(RunDraft.of("hook").payload("a", 1));

    Run run = once(id, RunState.SUCCEEDED);
    assertThat(endpoint.only().header("webhook-id")).isEqualTo(id.toString());
    assertThat(endpoint.only().header("idempotency-key")).isEqualTo(run.idempotencyKey());
  }

  @Test
  void a_busy_endpoint_is_called_again_when_it_said() {
    manner =
        exchange -> {
          manner = next -> Endpoint.reply(next, 200, "");
          exchange.getResponseHeaders().set("retry-after", "90");
          Endpoint.reply(exchange, 503, "");
        };
    RunId id = node.runs().enqueue(RunDraft.of("hook").retry(Retry.times(3)));

    once(id, RunState.PENDING);
    belfry.clock().advance(Duration.ofSeconds(89));
    node.runDue();
    assertThat(run(id).state()).isEqualTo(RunState.PENDING);
    belfry.clock().advance(Duration.ofSeconds(1));

    once(id, RunState.SUCCEEDED);
    assertThat(endpoint.received())
        .extracting(received -> received.header("carillon-attempt"))
        .containsExactly("1", "2");
  }

  @Test
  void a_refusal_is_not_tried_again() {
    manner = exchange -> Endpoint.reply(exchange, 422, "no such room");
    RunId id = node.runs().enqueue(RunDraft.of("hook").retry(Retry.times(3)));

    Failure failure = once(id, RunState.FAILED).failure().orElseThrow();
    assertThat(failure.code()).isEqualTo("http_422");
    assertThat(failure.details()).contains("HTTP 422\n\nno such room");
    assertThat(endpoint.received()).hasSize(1);
  }

  @Test
  void an_endpoint_that_accepted_reports_how_the_run_ended() {
    manner = exchange -> Endpoint.reply(exchange, 202, "{\"externalId\": \"job-7\"}");
    RunId id = node.runs().enqueue(RunDraft.of("hook"));

    Await.until(
        "an external id",
        () -> node.runDue().runs().get(id).orElseThrow().externalId().isPresent());
    assertThat(run(id).externalId()).contains("job-7");
    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);

    node.runs().report(id, Report.succeeded());
    assertThat(once(id, RunState.SUCCEEDED).externalId()).contains("job-7");
  }

  @Test
  void an_endpoint_that_is_gone_has_its_schedule_paused_with_the_reason() {
    manner = exchange -> Endpoint.reply(exchange, 410, "");
    node.schedules()
        .create(ScheduleDraft.named("hourly").target("hook").every(Duration.ofHours(1)));
    Instant before = belfry.clock().instant();
    belfry.clock().advance(Duration.ofHours(1));

    Await.until("a pause", () -> paused(node.runDue()));
    Schedule schedule = node.schedules().get("hourly").orElseThrow();
    assertThat(schedule.pause().orElseThrow().reason())
        .isEqualTo("POST %s answered 410: it wants no more messages".formatted(endpoint.url()));
    assertThat(node.runs().ofSchedule("hourly"))
        .singleElement()
        .satisfies(run -> assertThat(run.slot()).isAfter(before));
  }

  private static boolean paused(ManualCarillon node) {
    return node.schedules().get("hourly").orElseThrow().status() == ScheduleStatus.PAUSED;
  }

  @Test
  void a_run_that_is_canceled_gives_up_its_call() throws Exception {
    var called = new CountDownLatch(1);
    manner = exchange -> called.countDown();
    RunId id = node.runs().enqueue(RunDraft.of("hook"));
    node.runDue();
    called.await();

    node.runs().cancel(id, "not needed");
    assertThat(once(id, RunState.CANCELED).reason()).contains("not needed");
  }
}
