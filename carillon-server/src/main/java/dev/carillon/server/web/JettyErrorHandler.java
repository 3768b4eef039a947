package dev.carillon.server.web;

import dev.carillon.json.Json;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers with a problem what Jetty refuses before a route sees it; never a stack trace. */
final class JettyErrorHandler extends ErrorHandler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Problem problem = problem(response.getStatus());
    Reply reply = problem.reply(Request.getPathInContext(request));
    response.setStatus(reply.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.contentType());
    SecurityHeaders.put(request, response.getHeaders());
    Content.Sink.write(response, true, Json.write(reply.value().orElseThrow()), callback);
    return true;
  }

  /** Return what there is to say about {@code status}. */
  static Problem problem(int status) {
    return switch (status) {
      case 404 -> Problem.of(ProblemKind.NOT_FOUND, "There is nothing at this path.");
      case 405 ->
          Problem.of(
              ProblemKind.METHOD_NOT_ALLOWED,
              "This path does not take this method; the Allow header lists those it takes.");
      case 408 -> Problem.of(ProblemKind.REQUEST_TIMEOUT, "The request was not complete in time.");
      case 413 -> tooLarge();
      case 414 -> Problem.of(ProblemKind.ADDRESS_TOO_LONG, "The request's address is too long.");
      case 431 ->
          Problem.of(
              ProblemKind.HEADERS_TOO_LARGE, "The request's headers or address are too large.");
      case 415 ->
          Problem.of(
              ProblemKind.UNSUPPORTED_MEDIA_TYPE,
              "The body is encoded in a way that is not read here; send it as it is.");
      case 501 -> Problem.of(ProblemKind.METHOD_UNKNOWN, "There is no such method.");
      case 503 ->
          Problem.of(
              ProblemKind.UNAVAILABLE, "The server is stopping or has too much to do; try again.");
      case 505 -> Problem.of(ProblemKind.HTTP_VERSION, "HTTP/1.1 is spoken here.");
      default ->
          status < 500
              ? Problem.of(ProblemKind.MALFORMED_REQUEST, "The request cannot be understood.")
              : Problem.of(
                  ProblemKind.INTERNAL,
                  "Something went wrong here, not with the request; the server's log says what.");
    };
  }

  static Problem tooLarge() {
    return Problem.of(
        ProblemKind.BODY_TOO_LARGE,
        "The request's body has more than %s bytes; send less at a time."
            .formatted(WebServer.MAX_BODY_BYTES));
  }
}
