package dev.carillon.resilience.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Asks a server every 100 ms whether it lives, on a new connection each time. */
final class HealthProbe implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int GIVE_UP_MILLIS = 10_000;
  private static final byte[] REQUEST =
      "GET /healthz HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private final int port;
  private final Thread thread = new Thread(this::probe, "health-probe");
  private volatile boolean over;
  private Duration slowest = Duration.ZERO;
  private int answers;
  private int failures;

  HealthProbe(int port) {
    this.port = port;
    thread.start();
  }

  private void probe() {
    while (!over) {
      long begun = System.nanoTime();
      boolean fine = answers200();
      note(Duration.ofNanos(System.nanoTime() - begun), fine);
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean answers200() {
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), GIVE_UP_MILLIS);
      socket.setSoTimeout(GIVE_UP_MILLIS);
      socket.getOutputStream().write(REQUEST);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .startsWith("HTTP/1.1 200 ");
    } catch (IOException e) {
      return false;
    }
  }

  private synchronized void note(Duration took, boolean fine) {
    slowest = took.compareTo(slowest) > 0 ? took : slowest;
    answers += fine ? 1 : 0;
    failures += fine ? 0 : 1;
  }

  synchronized Duration slowest() {
    return slowest;
  }

  synchronized int answers() {
    return answers;
  }

  synchronized int failures() {
    return failures;
  }

  @Override
  public void close() {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
