package dev.carillon.server.api.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunLauncherRoutesTest {
  private final RunLauncherRoutes routes =
      new RunLauncherRoutes(request -> Reply.json(202, JsonFields.parsed(request)));

  private static Request request(String body) {
    return Request.of("POST", "/run-launcher/start").body(body);
  }

  @Test
  void what_the_document_says_is_handed_over_in_the_words_of_the_api() {
    Reply reply =
        routes.start(
            request(
                """
                {"workflow_id": "billing", "version": 3, "user_id": "ada",
                 "scheduled_for": "2026-01-01T02:00:00+01:00", "idempotency_key": "k-1"}
                """));

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.value())
        .contains(
            Map.of(
                "workflowId", "billing",
                "version", 3L,
                "userId", "ada",
                "scheduledFor", "2026-01-01T01:00:00Z",
                "idempotencyKey", "k-1"));
  }

  @Test
  void all_five_are_required_and_no_others_known() {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> routes.start(request("{\"workflowId\": \"billing\"}")))
        .satisfies(
            problemException ->
                assertThat(problemException.problem().errors())
                    .extracting(Problem.FieldError::place)
                    .containsExactlyInAnyOrderElementsOf(
                        List.of(
                            "/workflow_id",
                            "/version",
                            "/user_id",
                            "/scheduled_for",
                            "/idempotency_key",
                            "/workflowId")));
  }
}
