package dev.carillon.server.web;

import java.util.Locale;
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
 * @param memory what replies may take
 */
record ReplyWriter(
    org.eclipse.jetty.server.Request request,
    Response response,
    Callback done,
    ReplyMemory memory) {
  /* Of JSON, what fits into a packet is not worth the time. */
  private static final int JSON_COMPRESSED_FROM_BYTES = 1_500;
  private static final int TEXT_COMPRESSED_FROM_BYTES = 300;

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
    // Jetty closes the connection after a reply that did not wait for the body: the client must
    // know that before it sends its next request there.
    if (!headers.contains(HttpHeader.CONNECTION) && !request.consumeAvailable()) {
      headers.put(HttpHeader.CONNECTION, "close");
    }
    response.setStatus(reply.status());
    if (!reply.contentType().isEmpty()) {
      headers.put(HttpHeader.CONTENT_TYPE, reply.contentType());
    }
    if (reply.content() instanceof Reply.Value json) {
      write(reply, ReplyChunks.json(json.value()));
    } else if (reply.content() instanceof Reply.Text text) {
      write(reply, ReplyChunks.text(text.text()));
    } else if (reply.content() instanceof Reply.Live live && !isHead()) {
      begin(live);
    } else {
      done.succeeded();
    }
  }

  private boolean isHead() {
    return request.getMethod().equals("HEAD");
  }

  private void write(Reply reply, ReplyChunks plain) {
    boolean isJson = reply.content() instanceof Reply.Value;
    int least = isJson ? JSON_COMPRESSED_FROM_BYTES : TEXT_COMPRESSED_FROM_BYTES;
    boolean packs = plain.size() >= least && takesGzip();
    ReplyChunks chunks = packs ? plain.compressed() : plain;
    if (isHead()) {
      setSize(packs, chunks);
      done.succeeded();
      return;
    }
    if (!taken(chunks.size())) {
      reply.headers().keySet().forEach(response.getHeaders()::remove);
      write(ReplyMemory.exhausted().reply(request.getHttpURI().getPath()));
      return;
    }
    setSize(packs, chunks);
    new ChunkedReply(response, chunks, done, memory).begin(request);
  }

  private void setSize(boolean packed, ReplyChunks chunks) {
    if (packed) {
      response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
    }
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, chunks.size());
  }

  private boolean taken(long bytes) {
    if (request.getMethod().equals("GET")) {
      return memory.take(bytes);
    }
    memory.takeAnyway(bytes);
    return true;
  }

  private boolean takesGzip() {
    return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT_ENCODING).stream()
        .anyMatch(word -> word.toLowerCase(Locale.ROOT).equals("gzip"));
  }

  private void begin(Reply.Live live) {
    var sink = new AsyncEventSink(response, done);
    request.addIdleTimeoutListener(timeout -> false);
    request.addFailureListener(failure -> sink.end());
    live.beginning().accept(sink);
  }
}
