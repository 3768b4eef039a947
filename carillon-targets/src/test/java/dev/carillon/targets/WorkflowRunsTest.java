package dev.carillon.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.workflow.WorkflowChanges;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.target.Outcome;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.http.Endpoint;
import dev.carillon.targets.http.ExecutorSettings;
import dev.carillon.targets.http.Hooks;
import dev.carillon.targets.http.HttpExecutor;
import dev.carillon.targets.http.HttpSender;
import dev.carillon.targets.workflow.Launch;
import dev.carillon.targets.workflow.LocalExecutor;
import dev.carillon.targets.workflow.RunLauncher;
import dev.carillon.targets.workflow.WorkflowTarget;
import dev.carillon.testing.ManualCarillon;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of runs that launch workflows, by how their executor answers. */
@ExtendWith(EmbeddedPostgres.class)
class WorkflowRunsTest {
  private static final Instant SLOT = Instant.parse("2026-03-01T02:00:00Z");
  private static final String DAG = "{\"nodes\": [{\"id\": \"a\"}]}";

  private final Belfry belfry;
  private final ChangedBy by = new ChangedBy(SLOT, "ada");
  private final Database database;
  private final WorkflowStore workflows;
  private final HttpSender sender = HttpSender.start(AddressGuard.allowing(List.of("127.0.0.1")));
  private volatile Endpoint.Manner manner = exchange -> Endpoint.reply(exchange, 200, "");
  private final Endpoint endpoint = Endpoint.answering(exchange -> manner.answer(exchange));
  private final List<String> gone = new CopyOnWriteArrayList<>();
  private final RunLauncher launcher;
  private final ManualCarillon node;

  WorkflowRunsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    database = new Database(postgres);
    workflows = new WorkflowStore(database);
    change(changes -> changes.deploy("report", 1, DAG, by));
    change(changes -> changes.deploy("report", 2, "{\"nodes\": []}", by));
    var settings =
        ExecutorSettings.parse(
            Map.of("url", endpoint.url(), "timeout", "PT1S", "secret", Hooks.SECRET));
    launcher =
        new RunLauncher(
            workflows,
            new HttpExecutor(
                sender, settings.http(), belfry.clock(), (launch, why) -> gone.add(why)),
            sender::runAsync);
    node = belfry.node(builder -> builder.asyncTarget("workflow", new WorkflowTarget(launcher)));
  }

  @AfterEach
  void close() {
    belfry.close();
    sender.close();
    endpoint.close();
  }

  private RunId launch(Map<String, Object> more) {
    var payload = new HashMap<String, Object>(Map.of("workflow_id", "report", "user_id", "ada"));
    payload.putAll(more);
    return node.runs().enqueue(RunDraft.of("workflow").payload(payload));
  }

  private Run once(RunId id, RunState state) {
    Await.until(
        "the run " + state, () -> node.runDue().runs().get(id).orElseThrow().state() == state);
    return node.runs().get(id).orElseThrow();
  }

  private Run accepted(RunId id) {
    Await.until(
        "an external id",
        () -> node.runDue().runs().get(id).orElseThrow().externalId().isPresent());
    return node.runs().get(id).orElseThrow();
  }

  private <T> T change(Function<WorkflowChanges, T> change) {
    return database.inTransaction(tx -> change.apply(new WorkflowChanges(tx)));
  }

  @Test
  void the_executor_gets_the_graph_and_its_context() {
    manner = exchange -> Endpoint.reply(exchange, 200, "{\"run_id\": \"x-1\"}");
    RunId id = launch(Map.of("version", 1));
    Run run = accepted(id);

    Map<String, ?> body = Json.readObject(endpoint.only().body());
    assertThat(body.get("dag")).isEqualTo(Json.read(DAG));
    assertThat(Json.write(body.get("context")))
        .isEqualTo(
            Json.write(
                Json.read(
                    """
                    {"source": "schedule", "user_id": "ada", "scheduled_for": "%s",
                     "idempotency_key": "%s", "workflow_id": "report", "version": 1,
                     "run_id": "%s", "attempt": 1}
                    """
                        .formatted(run.slot(), run.idempotencyKey(), id))));
    assertThat(endpoint.only().header("webhook-id")).isEqualTo(id.toString());
    assertThat(endpoint.only().header("webhook-signature")).startsWith("v1,");
    assertThat(endpoint.only().header("idempotency-key")).isEqualTo(run.idempotencyKey());
  }

  private String input(Map<String, Object> more) {
    accepted(launch(more));
    List<Endpoint.Received> calls = endpoint.received();
    return Json.write(Json.readObject(calls.get(calls.size() - 1).body()).get("input"));
  }

  @Test
  void the_executor_gets_the_input() {
    manner = exchange -> Endpoint.reply(exchange, 200, "{\"run_id\": \"x-1\"}");

    assertThat(input(Map.of("input", Map.of("reportType", "monthly"), "trigger_id", "nightly")))
        .isEqualTo("{\"reportType\":\"monthly\"}");
    assertThat(input(Map.of("input", List.of(1, 2)))).isEqualTo("[1,2]");
    assertThat(input(Map.of("reportType", "monthly", "version", 1, "trigger_id", "t")))
        .isEqualTo("{\"reportType\":\"monthly\"}");
    assertThat(input(Map.of())).isEqualTo("{}");
  }

  @Test
  void a_workflow_may_run_for_nobody_in_particular() {
    manner = exchange -> Endpoint.reply(exchange, 200, "{\"run_id\": \"x-1\"}");
    accepted(node.runs().enqueue(RunDraft.of("workflow").payload("workflow_id", "report")));

    assertThat(endpoint.only().body()).contains("\"user_id\":null");
  }

  @Test
  void what_is_accepted_runs_until_it_is_reported_on() {
    manner = exchange -> Endpoint.reply(exchange, 201, "{\"externalId\": \"x-1\"}");
    RunId id = launch(Map.of("version", "latest"));
    Run run = accepted(id);

    assertThat(run.state()).isEqualTo(RunState.RUNNING);
    assertThat(run.externalId()).contains("x-1");
    assertThat(endpoint.only().body()).contains("\"version\":2");
    node.runs().report(id, Report.started());
    node.runs().report(id, Report.failed(Failure.of("step_failed", "send")));
    assertThat(once(id, RunState.FAILED).failure().orElseThrow().code()).isEqualTo("step_failed");
  }

  @Test
  void an_executor_in_trouble_is_asked_again_with_the_same_key() {
    var calls = new AtomicInteger();
    manner =
        exchange ->
            Endpoint.reply(
                exchange, calls.incrementAndGet() < 3 ? 500 : 202, "{\"externalId\": \"x\"}");
    accepted(launch(Map.of()));

    assertThat(endpoint.received())
        .hasSize(3)
        .extracting(received -> received.header("idempotency-key"))
        .containsOnly(endpoint.received().get(0).header("idempotency-key"));
  }

  @Test
  void an_executor_that_stays_in_trouble_fails_the_run() {
    manner = exchange -> Endpoint.reply(exchange, 500, "boom");

    assertThat(once(launch(Map.of()), RunState.FAILED).failure().orElseThrow().code())
        .isEqualTo("http_500");
    assertThat(endpoint.received()).hasSize(3);
  }

  @Test
  void an_executor_that_says_nothing_is_given_up_after_a_few_tries() {
    manner = exchange -> {};

    assertThat(once(launch(Map.of()), RunState.FAILED).failure().orElseThrow().code())
        .isEqualTo("no_answer");
  }

  @Test
  void a_refusal_is_not_tried_again() {
    manner = exchange -> Endpoint.reply(exchange, 400, "no");

    assertThat(once(launch(Map.of()), RunState.FAILED).failure().orElseThrow().code())
        .isEqualTo("http_400");
    assertThat(endpoint.received()).hasSize(1);
  }

  @Test
  void an_executor_that_is_gone_fails_the_run_and_says_so_once() {
    manner = exchange -> Endpoint.reply(exchange, 410, "moved away");

    assertThat(once(launch(Map.of()), RunState.FAILED).failure().orElseThrow().code())
        .isEqualTo("gone");
    Await.until("a connection that ends", () -> !gone.isEmpty());
    assertThat(gone)
        .containsExactly("POST " + endpoint.url() + " answered 410: it wants no more messages");
    assertThat(endpoint.received()).hasSize(1);
  }

  @Test
  void an_unknown_or_removed_workflow_fails_the_run_and_calls_nobody() {
    change(changes -> changes.deploy("gone", 1, DAG, by));
    change(changes -> changes.remove("gone", 1, by));

    for (RunId id :
        List.of(
            launch(Map.of("version", 7)),
            launch(Map.of("workflow_id", "gone")),
            launch(Map.of("workflow_id", "gone", "version", 1)))) {
      assertThat(once(id, RunState.FAILED).failure().orElseThrow().code())
          .isEqualTo("workflow_unknown");
    }
    assertThat(endpoint.received()).isEmpty();
  }

  @Test
  void a_payload_that_names_no_workflow_fails_the_run() {
    for (Map<String, Object> more :
        List.<Map<String, Object>>of(
            Map.of("workflow_id", ""),
            Map.of("version", "newest"),
            Map.of("user_id", " "),
            Map.of("user_id", 7),
            Map.of("scheduled_for", "soon"),
            Map.of("idempotency_key", "a b"))) {
      assertThat(once(launch(more), RunState.FAILED).failure().orElseThrow().code())
          .as("%s", more)
          .isEqualTo("payload_unusable");
    }
  }

  @Test
  void a_run_that_is_canceled_gives_up_its_launch() throws Exception {
    var called = new CountDownLatch(1);
    manner = exchange -> called.countDown();
    RunId id = launch(Map.of());
    node.runDue();
    called.await();

    node.runs().cancel(id, "not needed");
    assertThat(once(id, RunState.CANCELED).reason()).contains("not needed");
  }

  @Test
  void the_launcher_says_whether_the_executor_has_the_workflow() {
    manner = exchange -> Endpoint.reply(exchange, 202, "");
    assertThat(launcher.start("report", 1, "ada", SLOT, "key-1")).isTrue();
    assertThat(endpoint.only().body())
        .contains("\"idempotency_key\":\"key-1\"", "\"scheduled_for\":\"2026-03-01T02:00:00Z\"");
    assertThat(launcher.start("report", 7, "ada", SLOT, "key-2")).isFalse();
    manner = exchange -> Endpoint.reply(exchange, 400, "");
    assertThat(launcher.start("report", 1, "ada", SLOT, "key-3")).isFalse();
  }

  @Test
  void a_function_can_be_the_executor() {
    Executor threads = Runnable::run;
    var executor = new LocalExecutor(threads, WorkflowRunsTest::traverse);
    var local = new RunLauncher(workflows, executor, threads);

    assertThat(local.start("report", 2, "ada", SLOT, "key-4")).isTrue();
    assertThat(local.start("report", 2, "bob", SLOT, "key-5")).isFalse();
  }

  private static Outcome traverse(Launch launch) {
    if (launch.context().userId().equals(Optional.of("bob"))) {
      throw new IllegalStateException("not for bob");
    }
    return Outcome.succeeded();
  }
}
