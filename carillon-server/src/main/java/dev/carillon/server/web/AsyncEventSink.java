package dev.carillon.server.web;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A client that is written to whenever it is ready to read. What it has not read yet is kept up to
 * a bound; beyond, the client is given up.
 */
final class AsyncEventSink implements EventSink {
  private static final int MAX_UNREAD_BYTES = 1024 * 1024;

  private final Response response;
  private final Callback over;
  private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
  private boolean writing;
  private boolean ended;

  /**
   * Write to the client of {@code response}, whose headers are set.
   *
   * @param over is called when the client is gone, or there is no more to send
   */
  AsyncEventSink(Response response, Callback over) {
    this.response = response;
    this.over = over;
  }

  @Override
  public boolean send(String text) {
    boolean going = accepted(text.getBytes(StandardCharsets.UTF_8));
    if (going) {
      write();
    } else {
      end();
    }
    return going;
  }

  private synchronized boolean accepted(byte[] more) {
    if (ended || unread.size() + more.length > MAX_UNREAD_BYTES) {
      return false;
    }
    unread.writeBytes(more);
    return true;
  }

  /* All unread bytes are written together; the end of a write begins the next. */
  private void write() {
    ByteBuffer next;
    synchronized (this) {
      if (writing || ended || unread.size() == 0) {
        return;
      }
      writing = true;
      next = ByteBuffer.wrap(unread.toByteArray());
      unread.reset();
    }
    response.write(false, next, Callback.from(this::written, failure -> end()));
  }

  private void written() {
    synchronized (this) {
      writing = false;
    }
    write();
  }

  /* The callback runs without the lock: Jetty takes its own, and may ask for this one. */
  @Override
  public void end() {
    boolean unfinished;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      unfinished = writing;
      unread.reset();
    }
    if (unfinished) {
      over.failed(new EofException("the client does not read"));
    } else {
      over.succeeded();
    }
  }
}
