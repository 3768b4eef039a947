package dev.carillon.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Answer;
import dev.carillon.cli.Around;
import dev.carillon.cli.remote.ScriptedServer.Asked;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commands say to a server, and what they make of its answers. */
class TalkingTest {
  private static final String TOKEN = "crl_secret";

  @TempDir Path folder;
  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void the_token_goes_into_the_header_and_nowhere_else() {
    server.on("GET /api/v1/nodes?limit=50", 200, "{\"items\":[],\"nextCursor\":null}");

    Answer answer = run("node", "list");

    assertThat(answer.code()).isZero();
    assertThat(server.asked().get(0).header("Authorization")).isEqualTo("Bearer " + TOKEN);
    assertThat(answer.out() + answer.err()).doesNotContain(TOKEN);
  }

  @Test
  void keys_are_encoded_and_only_posts_have_an_idempotency_key() {
    server.on("POST /api/v1/schedules/a%20b%2Fc%C3%A9/resume", 200, "{}");
    server.on("DELETE /api/v1/schedules/x", 200, "{}");

    assertThat(run("schedule", "resume", "a b/cé").code()).isZero();
    assertThat(run("schedule", "delete", "x").code()).isZero();

    Asked post = server.asked().get(0);
    assertThat(post.header("Idempotency-key")).matches("[0-9a-f-]{36}");
    assertThat(server.asked().get(1).header("Idempotency-key")).isNull();
  }

  @Test
  void what_is_said_of_missed_slots_and_queues_is_sent_and_nothing_else() {
    server.on("POST /api/v1/schedules", 201, "{}");

    assertThat(run("schedule", "create", "plain", "--target", "noop", "--cron", "@daily").code())
        .isZero();
    assertThat(
            run(
                    "schedule",
                    "create",
                    "said",
                    "--target",
                    "noop",
                    "--cron",
                    "@daily",
                    "--overlap",
                    "queue",
                    "--queue-limit",
                    "7",
                    "--catch-up",
                    "all",
                    "--grace",
                    "1m",
                    "--max-age",
                    "6h")
                .code())
        .isZero();

    assertThat(server.asked().get(0).body()).doesNotContain("catchUp", "queueLimit");
    assertThat(server.asked().get(1).body())
        .contains(
            "\"overlap\":\"queue\",\"queueLimit\":7",
            "\"catchUp\":{\"mode\":\"all\",\"grace\":\"1m\",\"maxAge\":\"6h\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "400, 2", "401, 4", "403, 4", "404, 3", "409, 5", "412, 5", "422, 2", "429, 1", "500, 1",
    "302, 1"
  })
  void each_refusal_has_its_exit_code(int status, int code) {
    server.on("GET /api/v1/runs/x", status, "{\"detail\":\"no such thing\"}");

    Answer answer = run("run", "show", "x");

    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.err()).startsWith("carillon: no such thing");
  }

  @Test
  void what_is_wrong_with_fields_is_told_line_by_line() {
    server.on(
        "POST /api/v1/schedules",
        422,
        """
        {"title":"Bad","detail":"2 things are wrong; see errors.","code":"invalid-input","errors":[
         {"pointer":"/timing/cron","message":"'61' is not a minute"},
         {"pointer":"/target","message":"there is no target 'lgo'; did you mean 'log'?"}]}
        """);

    Answer answer = run("schedule", "create", "x", "--target", "lgo", "--cron", "61 * * * *");

    assertThat(answer)
        .isEqualTo(
            new Answer(
                2,
                "",
                """
                carillon: 2 things are wrong
                  --cron: '61' is not a minute
                  --target: there is no target 'lgo'; did you mean 'log'?
                """));
  }

  @Test
  void a_single_mistake_is_one_line() {
    server.on(
        "POST /api/v1/runs",
        422,
        "{\"detail\":\"unknown\",\"errors\":[{\"pointer\":\"/target\",\"message\":\"unknown\"}]}");

    assertThat(run("run", "start", "x").err()).isEqualTo("carillon: target: unknown\n");
  }

  @Test
  void a_refused_token_is_named_by_where_it_is_from() {
    server.on("GET /api/v1/runs/x", 401, "{\"detail\":\"Sign in first\"}");

    assertThat(run("run", "show", "x").err())
        .isEqualTo("carillon: Sign in first (the token is from CARILLON_TOKEN)\n");
    assertThat(Around.in(folder).run("run", "show", "x", "--server", server.url()).err())
        .contains("no token was found", "CARILLON_TOKEN");
  }

  @Test
  void an_answer_that_is_not_carillons_is_told_as_such() {
    server.on("GET /api/v1/runs/x", 502, "<html>Bad Gateway</html>");

    assertThat(run("run", "show", "x").err())
        .contains("answered 502, and not as Carillon does; is that a Carillon server?");
  }

  @Test
  void nobody_at_home_has_an_exit_code_of_its_own() {
    server.close();

    Answer answer = run("schedule", "list");

    assertThat(answer.code()).isEqualTo(7);
    assertThat(answer.err())
        .startsWith("carillon: no server answers at " + server.url())
        .contains("carillon serve", "--server");
  }

  @Test
  void what_a_server_says_cannot_steer_the_terminal() {
    server.on("GET /api/v1/runs/x", 404, "{\"detail\":\"\\u001b[2Jgone\"}");

    assertThat(run("run", "show", "x").err()).isEqualTo("carillon: \\u001b[2Jgone\n");
  }

  @Test
  void pages_are_asked_for_until_there_is_enough() {
    server.on(
        "GET /api/v1/schedules?tag=a%20b&limit=3",
        200, "{\"items\":[{\"key\":\"one\"},{\"key\":\"two\"}],\"nextCursor\":\"c1\"}");
    server.on(
        "GET /api/v1/schedules?tag=a%20b&cursor=c1&limit=1",
        200, "{\"items\":[{\"key\":\"three\"}],\"nextCursor\":\"c2\"}");

    Answer answer = run("schedule", "list", "--tag", "a b", "--limit", "3", "-o", "yaml");

    assertThat(answer.out()).isEqualTo("- key: one\n- key: two\n- key: three\n");
    assertThat(answer.err()).isEqualTo("carillon: there are more; --limit N or --all shows them\n");
  }

  @Test
  void a_token_in_the_clear_is_warned_of() {
    Answer answer =
        Around.in(folder)
            .with("CARILLON_TOKEN", TOKEN)
            .run("node", "list", "--server", "http://carillon.invalid:1");

    assertThat(answer.err())
        .startsWith(
            "carillon: warning: the token goes to http://carillon.invalid:1 in the clear; use"
                + " https")
        .doesNotContain(TOKEN);
  }

  private Answer run(String... arguments) {
    return Around.in(folder)
        .with("CARILLON_SERVER", server.url())
        .with("CARILLON_TOKEN", TOKEN)
        .run(arguments);
  }
}
