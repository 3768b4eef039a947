package dev.carillon.server.web;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.Content;

/** Reads the body of a request as it comes; no thread waits for it. */
final class BodyReader {
  private static final int LEAST_BYTES_PER_SECOND = 4 * 1024;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Content.Source source;
  private final String caller;
  private final PendingBodies pending;
  private final long begun = System.nanoTime();
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
  private volatile int bytes;
  private boolean watched;

  /** Read what {@code caller} sends. */
  BodyReader(Content.Source source, String caller, PendingBodies pending) {
    this.source = source;
    this.caller = caller;
    this.pending = pending;
  }

  /** Return the body, when it is complete; or a {@link ProblemException}. */
  CompletableFuture<byte[]> read() {
    var unused = whole.whenComplete((body, failure) -> pending.forget(this));
    readOn();
    return whole;
  }

  String caller() {
    return caller;
  }

  /** Return how many bytes have come and are kept. */
  int bytes() {
    return bytes;
  }

  /** Give back the memory of the body, which is not used any more. */
  synchronized void discard() {
    pending.giveBack(bytes);
    bytes = 0;
  }

  /* Called by one thread at a time: by the first, then by whichever the network wakes. */
  private void readOn() {
    while (!whole.isDone()) {
      Content.Chunk chunk;
      try {
        chunk = source.read();
      } catch (RuntimeException e) {
        refuse(unreadable(e));
        return;
      }
      if (chunk == null) {
        waitForMore();
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        refuse(unreadable(chunk.getFailure()));
        return;
      }
      boolean last = chunk.isLast();
      boolean kept = keep(chunk.getByteBuffer());
      chunk.release();
      if (kept && last) {
        whole.complete(read.toByteArray());
      }
    }
  }

  private void waitForMore() {
    if (!watched) {
      watched = true;
      if (!pending.watch(this)) {
        refuse(busy());
        return;
      }
    }
    source.demand(this::readOn);
  }

  private boolean keep(ByteBuffer more) {
    int length = more.remaining();
    if (bytes + length > WebServer.MAX_BODY_BYTES) {
      refuse(JettyErrorHandler.tooLarge());
      return false;
    }
    synchronized (this) {
      if (whole.isDone()) {
        return false;
      }
      if (watched ? pending.takeSlow(this, length) : pending.take(length)) {
        bytes += length;
        var copy = new byte[length];
        more.get(copy);
        read.writeBytes(copy);
        return true;
      }
    }
    refuse(busy());
    return false;
  }

  /** Refuse the body if it has not come as fast as it must. */
  void refuseIfSlow(long now, HttpLimits limits) {
    long took = now - begun;
    long allowed =
        limits.bodyGrace().toNanos() + bytes * (NANOS_PER_SECOND / LEAST_BYTES_PER_SECOND);
    if (took > Math.min(allowed, limits.body().toNanos())) {
      refuse(
          Problem.of(ProblemKind.REQUEST_TIMEOUT, "The request's body was not complete in time.")
              .header("Connection", "close"));
    }
  }

  private void refuse(Problem problem) {
    whole.completeExceptionally(problem.problemException());
  }

  private static Problem busy() {
    return Problem.of(
            ProblemKind.UNAVAILABLE, "Too much is being sent to the server at once; try again.")
        .header("Retry-After", "1")
        .header("Connection", "close");
  }

  /* Jetty refuses what is too large or wrongly encoded while it is read. */
  private static Problem unreadable(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpException refusal) {
        return JettyErrorHandler.problem(refusal.getCode());
      }
    }
    return Problem.of(ProblemKind.MALFORMED_REQUEST, "The request's body ended early.");
  }
}
