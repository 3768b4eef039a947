package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.carillon.server.log.LogbackLoggers;
import dev.carillon.time.InvalidValueException;
import java.time.DateTimeException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPipelineTest {
  private static final Caller OPERATOR = new Caller("olga", Role.OPERATOR, "token", "1");

  private final RequestPipeline pipeline = new RequestPipeline(new Routes(List.of()));

  RequestPipelineTest() {
    pipeline.open(
        new Routes(
            List.of(
                route(Route.get("/bells/{name}", Role.VIEWER, "getBell")),
                route(Route.get("/bells/big", Role.VIEWER, "getBig")),
                route(Route.put("/bells/{name}", Role.EDITOR, "putBell").takes("Bell")),
                route(
                    Route.post("/bells/{name}/ring", Role.OPERATOR, "ring")
                        .mayTake("Any")
                        .query(QueryParameter.text("loud", "How loud"))),
                Route.get("/later", Role.VIEWER, "later")
                    .reach(Reach.ALL)
                    .summary("Answer later")
                    .answers(
                        200,
                        "Any",
                        request ->
                            Reply.later(
                                CompletableFuture.failedFuture(
                                    new InvalidValueException("too late")),
                                () -> {})),
                failing("/refused", new InvalidValueException("loud", "too loud")),
                failing("/broken", new IllegalArgumentException("the bell has no clapper")),
                failing("/number", new NumberFormatException("x")),
                failing("/moment", new DateTimeException("the bell is late")),
                failing("/overflow", new ArithmeticException("the bell is too big")))),
        request -> OPERATOR,
        (request, route, work) -> work.apply(request),
        new ConcurrencyLimit(1));
  }

  private static Route route(Route.Draft draft) {
    return draft
        .reach(Reach.ALL)
        .summary("Do it")
        .answers(
            200,
            "Any",
            request ->
                Reply.ok(
                    Map.of(
                        "path", request.path(),
                        "caller", request.caller().name(),
                        "loud", request.parameter("loud").orElse(""))));
  }

  private static Route failing(String path, RuntimeException failure) {
    return Route.get(path, Role.VIEWER, "fail" + path.substring(1))
        .reach(Reach.ALL)
        .summary("Fail")
        .answers(
            200,
            "Any",
            request -> {
              throw failure;
            });
  }

  @Test
  void small_lists_are_all_answered_however_many_threads_make_them() throws Exception {
    var lists = new RequestPipeline(new Routes(List.of()), new ReplyMemory(512L * 1024 * 1024));
    var half = new CyclicBarrier(WebServer.THREADS / 2);
    Route list =
        Route.get("/lists", Role.VIEWER, "list")
            .reach(Reach.ALL)
            .summary("List")
            .paged()
            .answers(
                200,
                "Any",
                request -> {
                  meet(half);
                  return Reply.ok(Map.of());
                });
    lists.open(
        new Routes(List.of(list)),
        request -> OPERATOR,
        (request, route, work) -> work.apply(request),
        ConcurrencyLimit.UNLIMITED);
    var threads = Executors.newFixedThreadPool(WebServer.THREADS);
    try {
      Callable<Integer> ask =
          () -> lists.answer(Request.of("GET", "/lists").query("limit=500")).status();
      for (Future<Integer> answer :
          threads.invokeAll(Collections.nCopies(WebServer.THREADS, ask))) {
        assertThat(answer.get()).isEqualTo(200);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void meet(CyclicBarrier others) {
    try {
      others.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void only_what_is_said_to_be_wrong_input_blames_the_caller() {
    Reply reply = pipeline.answer(Request.of("GET", "/refused"));

    assertThat(reply.status()).isEqualTo(422);
    assertThat(errors(reply)).isEqualTo(List.of(Map.of("pointer", "/loud", "message", "too loud")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/broken", "/number", "/moment", "/overflow"})
  void a_bug_of_the_server_is_logged_and_not_shown(String path) {
    var logged = new ListAppender<ILoggingEvent>();
    Logger log = LogbackLoggers.named(RequestPipeline.class.getName());
    logged.start();
    log.addAppender(logged);
    log.setLevel(Level.ERROR);
    try {
      Reply reply = pipeline.answer(Request.of("GET", path));

      assertThat(reply.status()).isEqualTo(500);
      assertThat(detail(reply))
          .isEqualTo(
              "Something went wrong here, not with the request; the server's log says what.");
      assertThat(reply.value().orElseThrow().toString()).doesNotContain("bell is", "clapper");
      assertThat(logged.list)
          .singleElement()
          .extracting(ILoggingEvent::getLevel)
          .isEqualTo(Level.ERROR);
      assertThat(logged.list.get(0).getThrowableProxy().getStackTraceElementProxyArray())
          .isNotEmpty();
    } finally {
      log.detachAppender(logged);
      log.setLevel(null);
    }
  }

  @Test
  void a_route_without_a_role_cannot_be_made() {
    assertThatNullPointerException()
        .isThrownBy(() -> Route.get("/bell", noRole(), "ring"))
        .withMessage("GET /bell needs a role");
  }

  @SuppressWarnings("NullAway") // what the compiler would refuse
  private static Role noRole() {
    return null;
  }

  @Test
  void a_route_without_summary_cannot_be_made() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> Route.get("/bell", Role.VIEWER, "ring").answers(204, "", request -> Reply.done()))
        .withMessage("GET /bell needs a summary");
  }

  @Test
  void a_route_that_does_not_say_what_scopes_reach_cannot_be_made() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Route.get("/bell", Role.VIEWER, "ring")
                    .summary("Ring")
                    .answers(204, "", request -> Reply.done()))
        .withMessage("GET /bell must say what callers with a scope reach");
  }

  @Test
  void two_routes_share_neither_path_nor_name() {
    Route one = route(Route.get("/a/{x}", Role.VIEWER, "one"));
    Route same = route(Route.get("/a/{y}", Role.VIEWER, "two"));
    Route namesake = route(Route.get("/b", Role.VIEWER, "one"));

    assertThatIllegalStateException().isThrownBy(() -> new Routes(List.of(one, same)));
    assertThatIllegalStateException().isThrownBy(() -> new Routes(List.of(one, namesake)));
  }

  @Test
  void a_caller_with_the_role_is_answered() {
    Reply reply = pipeline.answer(Request.of("POST", "/bells/tom/ring").query("loud=very+much"));

    assertThat(reply.value())
        .contains(Map.of("path", "/bells/tom/ring", "caller", "olga", "loud", "very much"));
  }

  @Test
  void the_answer_to_a_caller_without_the_role_names_it() {
    Reply reply = pipeline.answer(Request.of("PUT", "/bells/tom").body("{}"));

    assertThat(reply.status()).isEqualTo(403);
    assertThat(detail(reply)).isEqualTo("This needs the role editor; yours is operator.");
  }

  @Test
  void an_unknown_path_is_not_found() {
    for (String path :
        List.of("/", "/bells", "/bells/", "/bells/a/b", "//bells/a", "/bells/{}/x")) {
      assertThat(pipeline.answer(Request.of("GET", path)).status()).as(path).isEqualTo(404);
    }
  }

  @Test
  void a_fixed_segment_wins_over_a_variable_one_only_for_its_own_methods() {
    assertThat(pipeline.answer(Request.of("GET", "/bells/big")).status()).isEqualTo(200);
    assertThat(detail(pipeline.answer(Request.of("PUT", "/bells/big").body("{}"))))
        .isEqualTo("This needs the role editor; yours is operator.");
    assertThat(pipeline.answer(Request.of("DELETE", "/bells/big")).headers())
        .containsEntry("Allow", "GET, HEAD, PUT");
    assertThat(pipeline.answer(Request.of("DELETE", "/bells/tom")).headers())
        .containsEntry("Allow", "GET, HEAD, PUT");
  }

  @Test
  void the_answer_to_an_unknown_parameter_names_the_nearest() {
    Reply reply = pipeline.answer(Request.of("POST", "/bells/tom/ring").query("lodu=1"));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(errors(reply))
        .isEqualTo(
            List.of(
                Map.of(
                    "parameter", "lodu",
                    "message", "there is no parameter 'lodu' here; did you mean 'loud'?")));
  }

  @Test
  void a_parameter_given_twice_is_refused() {
    assertThat(
            pipeline.answer(Request.of("POST", "/bells/tom/ring").query("loud=1&loud=2")).status())
        .isEqualTo(400);
  }

  @Test
  void what_cannot_be_accepted_is_refused_in_time() {
    var get = Request.of("GET", "/bells/tom");

    assertThat(pipeline.answer(get.header("Accept", "text/html")).status()).isEqualTo(406);
    assertThat(pipeline.answer(get.header("Accept", "application/json;q=0")).status())
        .isEqualTo(406);
    assertThat(pipeline.answer(get.header("Accept", "text/html, */*;q=0.1")).status())
        .isEqualTo(200);
    assertThat(
            pipeline
                .answer(
                    Request.of("POST", "/bells/tom/ring")
                        .header("Content-Type", "application/x-www-form-urlencoded"))
                .status())
        .isEqualTo(415);
    assertThat(
            pipeline
                .answer(
                    Request.of("POST", "/bells/tom/ring")
                        .header("Content-Type", "application/json; charset=utf-16"))
                .status())
        .isEqualTo(415);
  }

  @Test
  void what_fails_later_is_a_problem_too() throws Exception {
    Reply reply = pipeline.answer(Request.of("GET", "/later"));

    assertThat(reply.content()).isInstanceOf(Reply.Later.class);
    Reply known = ((Reply.Later) reply.content()).reply().get();
    assertThat(known.status()).isEqualTo(422);
    assertThat(detail(known)).isEqualTo("too late");
  }

  @Test
  void no_request_waits_for_the_body_of_another() {
    var slow = (RequestPipeline.Admitted) pipeline.begin(Request.of("POST", "/bells/tom/ring"));

    assertThat(pipeline.answer(Request.of("GET", "/bells/tom")).status()).isEqualTo(200);
    assertThat(slow.answer().apply(new byte[0]).status()).isEqualTo(200);
  }

  private static @Nullable Object detail(Reply reply) {
    return ((Map<?, ?>) reply.value().orElseThrow()).get("detail");
  }

  private static @Nullable Object errors(Reply reply) {
    return ((Map<?, ?>) reply.value().orElseThrow()).get("errors");
  }
}
