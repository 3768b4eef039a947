package dev.carillon.server.api;

import dev.carillon.console.ConsoleFiles;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.List;
import java.util.Map;

/**
 * The console as a browser loads it. All its addresses are relative, so that it works under any
 * prefix: its views are {@code /console/{view}}, at the same depth, and one page serves them all.
 *
 * @param files the page and its modules
 */
public record ConsoleRoutes(ConsoleFiles files) {
  static final String HTML = "text/html";

  private static final String SCRIPT = "text/javascript";
  private static final String ICON = "image/svg+xml";
  private static final String UTF_8 = "; charset=utf-8";
  private static final String MODULES = "/console/modules/{version}/{folder}/";

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/", Role.OPEN, "openConsole")
            .summary("Lead to the console")
            .as(HTML)
            .answers(302, "", request -> redirect("console/")),
        Route.get("/console", Role.OPEN, "openConsoleFolder")
            .summary("Lead to the console")
            .as(HTML)
            .answers(302, "", request -> redirect("console/")),
        Route.get("/console/", Role.OPEN, "getConsole")
            .summary("The console")
            .anyQuery()
            .as(HTML)
            .answers(200, "ConsolePage")
            .answers(304, "", this::page),
        Route.get("/console/{view}", Role.OPEN, "getConsoleView")
            .summary("A view of the console")
            .anyQuery()
            .as(HTML)
            .answers(200, "ConsolePage")
            .answers(304, "", this::page),
        Route.get("/console/icon.svg", Role.OPEN, "getConsoleIcon")
            .summary("The icon of the console")
            .as(ICON)
            .answers(200, "ConsoleIcon", request -> forAnHour(Reply.text(ICON, files.icon()))),
        Route.get(MODULES + "{file}", Role.OPEN, "getConsoleModule")
            .summary("A module of the console")
            .as(SCRIPT)
            .answers(200, "ConsoleModule", request -> module(request, request.part("file"))),
        Route.get(MODULES + "{inner}/{file}", Role.OPEN, "getInnerConsoleModule")
            .summary("A module of a library of the console")
            .as(SCRIPT)
            .answers(
                200,
                "ConsoleModule",
                request -> module(request, request.part("inner") + "/" + request.part("file"))));
  }

  /* A relative address stays behind the prefix of a proxy. */
  static Reply redirect(String to) {
    return new Reply(302, "", Map.of("Location", to), new Reply.Nothing());
  }

  Reply page(Request request) {
    String tag = "\"" + files.version() + "\"";
    Reply reply =
        request.header("If-None-Match").filter(tag::equals).isPresent()
            ? new Reply(304, "", Map.of(), new Reply.Nothing())
            : Reply.text(HTML + UTF_8, files.page());
    return reply
        .header("ETag", tag)
        .header("Cache-Control", "no-cache")
        .header("Content-Security-Policy", policy())
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("X-Frame-Options", "DENY");
  }

  /* The import map is the only script inside the page, and named by its hash. */
  private String policy() {
    return ("default-src 'none'; script-src 'self' '%s'; connect-src 'self'; img-src 'self';"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types lit-html")
        .formatted(files.importMapHash());
  }

  private Reply module(Request request, String file) {
    String path = request.part("folder") + "/" + file;
    String text =
        files
            .module(request.part("version"), path)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemKind.NOT_FOUND,
                        "There is no such module in this version of the console; load its page anew."));
    return Reply.text(SCRIPT + UTF_8, text)
        .header("Cache-Control", "public, max-age=31536000, immutable")
        .header("ETag", "\"" + files.version() + "\"")
        .header("Vary", "Accept-Encoding");
  }

  private static Reply forAnHour(Reply reply) {
    return reply.header("Cache-Control", "public, max-age=3600");
  }
}
