package dev.carillon.server;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Tells as problems what Jetty refuses before a route sees it; never a stack trace. */
final class ProblemPages extends ErrorHandler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Reply reply = problem(response.getStatus(), Request.getPathInContext(request)).reply();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.contentType());
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    Content.Sink.write(response, true, Json.write(reply.body()), callback);
    return true;
  }

  /** Return what there is to say about {@code status} at {@code path}. */
  static Problem problem(int status, String path) {
    String detail =
        switch (status) {
          case 404 -> "There is nothing at this path.";
          case 405 -> "This path does not take this method; the Allow header lists those it takes.";
          case 413 -> "The request's body is too large.";
          case 414, 431 -> "The request's headers or address are too large.";
          case 503 -> "The server is stopping or has too much to do; try again.";
          default ->
              status < 500
                  ? "The request cannot be understood."
                  : "Something went wrong here, not with the request; the server's log says what.";
        };
    return Problem.ofStatus(status, detail, path);
  }
}
