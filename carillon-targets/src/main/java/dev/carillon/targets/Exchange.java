package dev.carillon.targets;

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

/** A request under way: keeps the beginning of the answer and tells once how it ended. */
final class Exchange {
  private final Request request;
  private final Consumer<Reply> ended;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private boolean tooLong;
  private volatile boolean sent;

  Exchange(Request request, Consumer<Reply> ended) {
    this.request = request;
    this.ended = ended;
  }

  void send() {
    request
        // From here on bytes may be on their way. That they were written is told too late: the
        // answer can be quicker.
        .onRequestBegin(sending -> sent = true)
        .onResponseContent(this::keep)
        .send(this::complete);
  }

  /** Give up; the connection is closed, and the end is told as broken. */
  void abort(String reason) {
    var unused = request.abort(new IOException(reason));
  }

  /* Nothing behind the bound is read: the connection is closed instead. */
  private void keep(Response response, ByteBuffer content) {
    int room = Answer.LARGEST - body.size();
    byte[] kept = new byte[Math.min(room, content.remaining())];
    content.get(kept);
    body.writeBytes(kept);
    if (content.hasRemaining()) {
      tooLong = true;
      content.position(content.limit());
      var unused =
          response.abort(new IOException("the answer is longer than " + Answer.LARGEST + " bytes"));
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
            ? new Reply.Answered(answer(response))
            : new Reply.Broken(result.getFailure(), sent));
  }

  private Answer answer(Response response) {
    return new Answer(
        response.getStatus(),
        firsts(response.getHeaders()),
        body.toString(StandardCharsets.UTF_8),
        !tooLong);
  }

  private static Map<String, String> firsts(HttpFields fields) {
    var firsts = new HashMap<String, String>();
    fields.forEach(
        field -> {
          if (field.getValue() != null) {
            firsts.putIfAbsent(field.getName().toLowerCase(Locale.ROOT), field.getValue());
          }
        });
    return firsts;
  }
}
