package dev.carillon.server.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * A client that is written to whenever it is ready to read. What it has not read yet is kept up to
 * a bound; beyond, the client is given up.
 */
final class AsyncOutlet implements Outlet, WriteListener, AsyncListener {
  private static final int MOST_BYTES = 1024 * 1024;

  private final ServletOutputStream out;
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private int bytes;
  private boolean begun;
  private boolean unflushed;
  private boolean ended;

  private AsyncOutlet(ServletOutputStream out) {
    this.out = out;
  }

  /** Write to the client of {@code context}, whose headers are set. */
  static AsyncOutlet on(AsyncContext context) throws IOException {
    context.setTimeout(0);
    ServletOutputStream out = context.getResponse().getOutputStream();
    var outlet = new AsyncOutlet(out);
    context.addListener(outlet);
    out.setWriteListener(outlet);
    return outlet;
  }

  /** Return what is complete when the client is gone, or there is no more to tell it. */
  CompletableFuture<Boolean> over() {
    return over;
  }

  @Override
  public boolean tell(String text) {
    boolean going = accepted(text.getBytes(StandardCharsets.UTF_8));
    if (!going) {
      end();
    }
    return going;
  }

  private synchronized boolean accepted(byte[] more) {
    if (ended || bytes + more.length > MOST_BYTES) {
      return false;
    }
    waiting.add(more);
    bytes += more.length;
    return written();
  }

  @Override
  public void onWritePossible() {
    if (!begin()) {
      end();
    }
  }

  private synchronized boolean begin() {
    begun = true;
    return written();
  }

  /* What is not written here is written when the client is ready again; false if it is gone. */
  private boolean written() {
    try {
      while (begun && !ended && out.isReady()) {
        byte[] next = waiting.poll();
        if (next != null) {
          bytes -= next.length;
          unflushed = true;
          out.write(next);
        } else if (unflushed) {
          unflushed = false;
          out.flush();
        } else {
          return true;
        }
      }
      return !ended;
    } catch (IOException | IllegalStateException e) {
      return false;
    }
  }

  /* The end is told without the lock: the container takes its own, and may ask for this one. */
  @Override
  public void end() {
    synchronized (this) {
      ended = true;
      waiting.clear();
      bytes = 0;
    }
    over.complete(true);
  }

  @Override
  public void onError(Throwable failure) {
    end();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    end();
  }

  @Override
  public void onError(AsyncEvent event) {
    end();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
