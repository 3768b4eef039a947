package dev.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.json.Json;
import dev.carillon.model.Page;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.RequestPipeline;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.Routes;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.time.InvalidValueException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PagedListsTest {
  private static Reply answer(PagedLists.Asking<String> asking) {
    Route bells =
        Route.get("/bells", Role.OPEN, "listBells")
            .summary("List bells")
            .paged()
            .answers(
                200,
                "BellPage",
                request ->
                    PagedLists.reply(
                        PagedLists.ask(QueryParameters.of(request), asking),
                        bell -> Map.of("name", bell)));
    return new RequestPipeline(new Routes(List.of(bells)))
        .answer(Request.of("GET", "/bells").query("cursor=abc"));
  }

  private static String text(Reply reply) {
    return Json.write(reply.value().orElseThrow());
  }

  @Test
  void a_cursor_that_is_none_is_refused() {
    Reply reply =
        answer(
            (after, limit) ->
                new Page<>(
                    List.of(PageToken.text(PageToken.Of.RUNS, after.orElseThrow())),
                    Optional.empty()));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(text(reply)).contains("\"parameter\":\"cursor\"", "this is no cursor");
  }

  @Test
  void what_else_is_refused_is_not_blamed_on_the_cursor() {
    Reply reply =
        answer(
            (after, limit) -> {
              throw new InvalidValueException("the tower is closed");
            });

    assertThat(reply.status()).isEqualTo(422);
    assertThat(text(reply)).contains("the tower is closed").doesNotContain("cursor");
  }
}
