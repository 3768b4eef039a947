package dev.carillon.targets.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpFields;

/** One request and its response, of which it keeps the beginning; it reports once how it ended. */
final class Exchange {
  private final Request request;
  private final Consumer<ExchangeResult> ended;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private boolean tooLong;
  private volatile boolean sent;

  Exchange(Request request, Consumer<ExchangeResult> ended) {
    this.request = request;
    this.ended = ended;
  }

  void send() {
    request
        // From here on bytes may be on the wire. The callback for written bytes comes too late:
        // the response can arrive before it.
        .onRequestBegin(begun -> sent = true)
        .onResponseContent(this::append)
        .send(this::complete);
  }

  /** Abort: the connection is closed and the exchange ends without a response. */
  void abort(String reason) {
    var unused = request.abort(new IOException(reason));
  }

  /* The connection is closed at the limit; nothing beyond it is read. */
  private void append(Response response, ByteBuffer content) {
    int remaining = EndpointResponse.MAX_SIZE - body.size();
    byte[] kept = new byte[Math.min(remaining, content.remaining())];
    content.get(kept);
    body.writeBytes(kept);
    if (content.hasRemaining()) {
      tooLong = true;
      content.position(content.limit());
      var unused =
          response.abort(
              new IOException("the answer is longer than " + EndpointResponse.MAX_SIZE + " bytes"));
    }
  }

  private void complete(Result result) {
    Response response = result.getResponse();
    boolean answered =
        response != null
            && response.getStatus() > 0
            && (tooLong || result.getResponseFailure() == null);
    ended.accept(
        answered
            ? new ExchangeResult.Answered(answer(response))
            : new ExchangeResult.Broken(result.getFailure(), sent));
  }

  private EndpointResponse answer(Response response) {
    return new EndpointResponse(
        response.getStatus(),
        firstValues(response.getHeaders()),
        body.toString(StandardCharsets.UTF_8),
        !tooLong);
  }

  private static Map<String, String> firstValues(HttpFields fields) {
    var firstValues = new HashMap<String, String>();
    fields.forEach(
        field -> {
          if (field.getValue() != null) {
            firstValues.putIfAbsent(field.getName().toLowerCase(Locale.ROOT), field.getValue());
          }
        });
    return firstValues;
  }
}
