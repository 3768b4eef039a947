package dev.carillon.targets.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, of which it keeps the beginning; it reports once how it ended, at
 * the latest when its timeout ends.
 */
final class Exchange {
  private final Request request;
  private final Duration timeout;
  private final Scheduler scheduler;
  private final Consumer<ExchangeResult> ended;
  private final AtomicBoolean over = new AtomicBoolean();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private boolean tooLong;
  private volatile boolean sent;
  private volatile Scheduler.@Nullable Task watchdog;

  Exchange(Request request, Duration timeout, Scheduler scheduler, Consumer<ExchangeResult> ended) {
    this.request = request;
    this.timeout = timeout;
    this.scheduler = scheduler;
    this.ended = ended;
  }

  void send() {
    watchdog = scheduler.schedule(this::expire, timeout.toMillis(), TimeUnit.MILLISECONDS);
    request
        // From here on bytes may be on the wire. The callback for written bytes comes too late:
        // the response can arrive before it.
        .onRequestBegin(begun -> sent = true)
        .onResponseContent(this::append)
        .send(this::complete);
  }

  /** Abort: the connection is closed and the exchange ends without a response. */
  void abort(String reason) {
    abort(new IOException(reason));
  }

  private void abort(Exception reason) {
    var unused = request.abort(reason);
    closeConnection();
  }

  /* The client closes the connection of most aborted requests, but not of those whose response it
   * believes to be complete. */
  private void closeConnection() {
    Connection connection = request.getConnection();
    if (connection != null) {
      connection.close();
    }
  }

  /* Whatever the client waits for, and even if it has lost track of the request. */
  private void expire() {
    var timedOut = new TimeoutException("no whole answer in " + timeout.toMillis() + " ms");
    if (!over.get()) {
      abort(timedOut);
      report(new ExchangeResult.Broken(timedOut, sent));
    }
  }

  private void report(ExchangeResult result) {
    if (over.getAndSet(true)) {
      return;
    }
    Scheduler.Task waiting = watchdog;
    if (waiting != null) {
      waiting.cancel();
    }
    ended.accept(result);
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
    if (answered && response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101) {
      closeConnection(); // the client regards it as that of another protocol
    }
    report(
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
