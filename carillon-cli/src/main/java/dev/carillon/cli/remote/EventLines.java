package dev.carillon.cli.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The lines of an answer that goes on; read by a thread of its own, so that silence is noticed. */
final class EventLines implements AutoCloseable {
  /* A server that lives gives a sign of it every ten seconds. */
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(35);
  private static final int MAX_QUEUED_LINES = 1_000;
  private static final String END_OF_STREAM = "\0";

  private final InputStream stream;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MAX_QUEUED_LINES);
  private final Thread reader;

  EventLines(InputStream stream) {
    this.stream = stream;
    this.reader = new Thread(this::read, "carillon-events");
    reader.setDaemon(true);
    reader.start();
  }

  /** Return the next line; empty once there are no more, or nothing has come for too long. */
  Optional<String> next() throws InterruptedException {
    String line = lines.poll(SILENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    return Optional.of(Objects.requireNonNullElse(line, END_OF_STREAM))
        .filter(text -> !text.equals(END_OF_STREAM));
  }

  private void read() {
    try {
      try (var text = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
        for (String line = text.readLine(); line != null; line = text.readLine()) {
          lines.put(line);
        }
      } catch (IOException e) {
        // broken, which is one more way to end
      }
      lines.put(END_OF_STREAM);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the stream was closed
    }
  }

  @Override
  public void close() {
    reader.interrupt();
    try {
      stream.close();
    } catch (IOException e) {
      // it is given up anyway
    }
  }
}
