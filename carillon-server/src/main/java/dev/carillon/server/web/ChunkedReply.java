package dev.carillon.server.web;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Writes the content of a reply chunk by chunk, each once the client has read most of the one
 * before. A client that reads a large reply too slowly is given up.
 */
final class ChunkedReply extends IteratingCallback {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LEAST_BYTES_PER_SECOND = 64L * 1024;

  private final Response response;
  private final ReplyChunks chunks;
  private final Callback done;
  private final ReplyMemory memory;
  private final long size;
  private final AtomicBoolean over = new AtomicBoolean();
  private Scheduler.@Nullable Task deadline;

  /** Write {@code chunks}, whose memory is taken, and free it. */
  ChunkedReply(Response response, ReplyChunks chunks, Callback done, ReplyMemory memory) {
    this.response = response;
    this.chunks = chunks;
    this.done = done;
    this.memory = memory;
    this.size = chunks.size();
  }

  void begin(Request request) {
    if (size > ReplyMemory.SMALL_BYTES) {
      Duration most = PATIENCE.plusSeconds(size / LEAST_BYTES_PER_SECOND);
      deadline =
          request
              .getComponents()
              .getScheduler()
              .schedule(this::giveUp, most.toMillis(), TimeUnit.MILLISECONDS);
    }
    iterate();
  }

  private void giveUp() {
    end(() -> done.failed(new TimeoutException("the client reads too slowly")));
  }

  @Override
  protected Action process() {
    ByteBuffer next;
    boolean last;
    synchronized (chunks) {
      next = chunks.next();
      last = chunks.isEmpty();
    }
    if (next == null) {
      return Action.SUCCEEDED;
    }
    response.write(last, next, this);
    return Action.SCHEDULED;
  }

  @Override
  protected void onCompleteSuccess() {
    end(done::succeeded);
  }

  @Override
  protected void onCompleteFailure(Throwable failure) {
    end(() -> done.failed(failure));
  }

  private void end(Runnable last) {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    Scheduler.Task alarm = deadline;
    if (alarm != null) {
      alarm.cancel();
    }
    synchronized (chunks) {
      chunks.clear();
    }
    memory.free(size);
    last.run();
  }
}
