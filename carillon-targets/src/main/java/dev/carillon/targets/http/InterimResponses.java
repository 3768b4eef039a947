package dev.carillon.targets.http;

import java.io.IOException;
import org.eclipse.jetty.client.ProcessingProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Ignores interim responses of any status (RFC 9110, 15.2), up to a number per request. Without it,
 * the client takes one that it does not know for the end of the response and never ends the
 * request.
 */
final class InterimResponses extends ProcessingProtocolHandler {
  /** The maximum number of interim responses to a request. */
  static final int MAX = 100;

  private static final String COUNT = InterimResponses.class.getName();

  @Override
  public String getName() {
    return "interim";
  }

  @Override
  public boolean accept(Request request, Response response) {
    return HttpStatus.isInterim(response.getStatus());
  }

  @Override
  protected void onProcessing(Request request, HttpFields headers) {
    int count = request.getAttributes().get(COUNT) instanceof Integer before ? before + 1 : 1;
    request.attribute(COUNT, count);
    if (count > MAX) {
      var unused = request.abort(new TooManyException());
    }
  }

  /** The endpoint sent more interim responses than are ignored. */
  static final class TooManyException extends IOException {
    TooManyException() {
      super("more than " + MAX + " interim answers");
    }
  }
}
