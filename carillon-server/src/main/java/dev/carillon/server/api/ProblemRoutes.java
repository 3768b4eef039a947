package dev.carillon.server.api;

import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.Arrays;
import java.util.List;

/** The pages about problems, which {@code type} leads to. */
final class ProblemRoutes {
  private static final String MARKDOWN = "text/markdown";

  List<Route> routes() {
    return List.of(
        Route.get("/docs/problems/{code}", Role.VIEWER, "explainProblem")
            .reach(Reach.ALL)
            .summary("Read about a kind of problem")
            .as(MARKDOWN)
            .answers(200, "ProblemText", this::page));
  }

  Reply page(Request request) {
    String code = request.part("code");
    return Arrays.stream(ProblemKind.values())
        .filter(kind -> kind.code().equals(code))
        .findFirst()
        .map(kind -> Reply.text(MARKDOWN + "; charset=utf-8", read(kind)))
        .orElseThrow(
            () -> new ProblemException(ProblemKind.NOT_FOUND, "There is no such problem."));
  }

  private static String read(ProblemKind kind) {
    return OpenApi.resource("/dev/carillon/server/problems/%s.md".formatted(kind.code()));
  }
}
