package dev.carillon.cli.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Waits for something to happen on a server: as soon as its event stream says so, or, while it has
 * none, a moment later.
 */
public final class Events implements AutoCloseable {
  private static final Duration WITHOUT_STREAM = Duration.ofSeconds(1);
  private static final Duration WITH_STREAM = Duration.ofSeconds(15);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final Client client;
  private final Semaphore news = new Semaphore(0);
  private final Thread reader;
  private volatile boolean streaming;
  private volatile boolean closed;

  public Events(Client client) {
    this.client = client;
    this.reader = new Thread(this::read, "carillon-events");
    reader.setDaemon(true);
    reader.start();
  }

  /** Return once something may have happened. */
  public void await() throws InterruptedException {
    Duration longest = streaming ? WITH_STREAM : WITHOUT_STREAM;
    if (news.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      news.drainPermits(); // one look is enough for all that happened meanwhile
    }
  }

  private void read() {
    while (!closed) {
      try {
        if (!stream()) {
          return; // a server without a stream will not get one while it runs
        }
        streaming = false;
        TimeUnit.MILLISECONDS.sleep(AGAIN.toMillis());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Read the stream until it ends; say whether there was one. */
  private boolean stream() throws InterruptedException {
    HttpRequest request =
        client
            .request(Call.get("events"))
            .setHeader("Accept", "text/event-stream")
            .timeout(Duration.ofDays(1))
            .build();
    try {
      HttpResponse<Stream<String>> response = client.http().send(request, BodyHandlers.ofLines());
      try (Stream<String> lines = response.body()) {
        if (response.statusCode() != 200) {
          return false;
        }
        streaming = true;
        news.release();
        lines.filter(line -> line.startsWith("data:")).forEach(line -> news.release());
      }
    } catch (IOException | UncheckedIOException e) {
      // the server restarts, or the network is gone: polling goes on meanwhile
    }
    return true;
  }

  /** Stop listening. */
  @Override
  public void close() {
    closed = true;
    reader.interrupt();
  }
}
