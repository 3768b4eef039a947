package dev.carillon.server.web;

import dev.carillon.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Writes the reply to one request; no thread waits for the client.
 *
 * @param request what is answered
 * @param response where the reply goes
 * @param done is called when the reply is written
 */
record ReplyWriter(org.eclipse.jetty.server.Request request, Response response, Callback done) {
  private static final int COMPRESSED_FROM_BYTES = 1_500;

  /** Write what is known later, after {@code beginning} has run. */
  void writeLater(Reply.Later later, Runnable beginning) {
    request.addIdleTimeoutListener(timeout -> false);
    var unused =
        later
            .reply()
            .whenComplete(
                (known, failure) -> {
                  if (known == null) {
                    done.failed(failure);
                  } else {
                    beginning.run();
                    write(known);
                  }
                });
  }

  void write(Reply reply) {
    HttpFields.Mutable headers = response.getHeaders();
    SecurityHeaders.put(request, headers);
    reply.headers().forEach(headers::put);
    response.setStatus(reply.status());
    if (!reply.contentType().isEmpty()) {
      headers.put(HttpHeader.CONTENT_TYPE, reply.contentType());
    }
    if (reply.content() instanceof Reply.Value json) {
      write(Json.write(json.value()));
    } else if (reply.content() instanceof Reply.Text text) {
      write(text.text());
    } else if (reply.content() instanceof Reply.Live live && !isHead()) {
      begin(live);
    } else {
      done.succeeded();
    }
  }

  private boolean isHead() {
    return request.getMethod().equals("HEAD");
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= COMPRESSED_FROM_BYTES && takesGzip()) {
      response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
      bytes = compressed(bytes);
    }
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    if (isHead()) {
      done.succeeded();
    } else {
      response.write(true, ByteBuffer.wrap(bytes), done);
    }
  }

  private boolean takesGzip() {
    return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT_ENCODING).stream()
        .anyMatch(word -> word.toLowerCase(Locale.ROOT).equals("gzip"));
  }

  private static byte[] compressed(byte[] bytes) {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private void begin(Reply.Live live) {
    var sink = new AsyncEventSink(response, done);
    request.addIdleTimeoutListener(timeout -> false);
    request.addFailureListener(failure -> sink.end());
    live.beginning().accept(sink);
  }
}
