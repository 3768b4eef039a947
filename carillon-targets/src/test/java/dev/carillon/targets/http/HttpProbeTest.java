package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.json.Json;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that die while an endpoint works, and what the endpoint says when others ask it. */
@ExtendWith(EmbeddedPostgres.class)
class HttpProbeTest {
  private final Belfry belfry;
  private final HttpSender sender = HttpSender.start(AddressGuard.allowing(List.of("127.0.0.1")));
  private volatile String answer = "{}";
  private volatile int status = 200;
  private final Endpoint endpoint =
      Endpoint.answering(
          exchange -> {
            if (exchange.getRequestURI().getPath().endsWith("status")) {
              Endpoint.reply(exchange, status, answer);
            } // else nobody ever answers
          });

  HttpProbeTest(DataSource postgres) {
    belfry = new Belfry(postgres);
  }

  @AfterEach
  void close() {
    belfry.close();
    sender.close();
    endpoint.close();
  }

  private ManualCarillon node() {
    HttpTargetSettings settings =
        HttpTargetSettings.parse(
            Map.of(
                "url",
                endpoint.url(),
                "statusUrl",
                endpoint.url() + "status",
                "secret",
                Hooks.SECRET));
    return belfry.node(
        builder ->
            builder.asyncTarget(
                "hook", new HttpTarget(sender, settings, belfry.clock(), endpointGone -> {})));
  }

  private Run lost() {
    ManualCarillon lost = node();
    RunId id = lost.runs().enqueue(RunDraft.of("hook"));
    lost.runDue();
    ManualCarillon other = node();
    belfry.clock().advance(Duration.ofSeconds(20));
    other.turn(EngineLoop.HEARTBEAT);
    other.turn(EngineLoop.RECOVERY);
    Await.until(
        "the answer to the probe",
        () ->
            other.runs().get(id).orElseThrow().state() != RunState.RUNNING
                || answer.contains("running"));
    return other.runs().get(id).orElseThrow();
  }

  @Test
  void a_run_that_its_endpoint_has_done_is_not_sent_again() {
    answer = "{\"status\": \"succeeded\"}";
    Run run = lost();

    assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run.attempt()).isEqualTo(1);
    Endpoint.Received asked = endpoint.received().get(endpoint.received().size() - 1);
    assertThat(asked.uri()).endsWith("status");
    assertThat(asked.method()).isEqualTo("POST");
    assertThat(asked.header("webhook-id")).isEqualTo(run.id().toString());
    assertThat(asked.header("webhook-signature")).startsWith("v1,");
    assertThat(Json.readObject(asked.body()))
        .containsEntry("type", "run.status")
        .containsEntry("runId", run.id().toString())
        .containsEntry("attempt", 1L)
        .containsEntry("idempotencyKey", run.idempotencyKey());
  }

  @Test
  void a_run_that_failed_there_has_failed() {
    answer =
        "{\"status\": \"failed\", \"failure\": {\"code\": \"disk_full\", \"message\": \"no room\"}}";

    assertThat(lost().failure().orElseThrow().code()).isEqualTo("disk_full");
  }

  @Test
  void an_endpoint_that_knows_nothing_or_talks_nonsense_gets_the_run_again() {
    answer = "<html>";
    assertThat(lost().state()).isEqualTo(RunState.PENDING);
    status = 404;
    assertThat(lost().state()).isEqualTo(RunState.PENDING);
  }
}
