package dev.carillon.resilience.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks a server every 100 ms whether it lives, on a new connection each time; and in the same way a
 * server that does nothing else, which shows what the machine adds.
 */
final class HealthProbe implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int GIVE_UP_MILLIS = 10_000;
  private static final byte[] REQUEST =
      "GET /healthz HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private static final byte[] REPLY = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int BACKLOG = 50;

  private final int port;
  private final ServerSocket idle = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
  private final Thread answering = new Thread(this::answer, "idle-server");
  private final Thread thread = new Thread(this::probe, "health-probe");
  private volatile boolean over;
  private Duration slowest = Duration.ZERO;
  private Duration slowestIdle = Duration.ZERO;
  private int answers;
  private int failures;

  HealthProbe(int port) throws IOException {
    this.port = port;
    answering.start();
    thread.start();
  }

  private void answer() {
    while (!idle.isClosed()) {
      try (Socket socket = idle.accept()) {
        socket.getInputStream().readNBytes(REQUEST.length);
        socket.getOutputStream().write(REPLY);
      } catch (IOException gone) {
        // the next one is answered
      }
    }
  }

  private void probe() {
    while (!over) {
      long begun = System.nanoTime();
      boolean fine = answers200(port);
      long answered = System.nanoTime();
      answers200(idle.getLocalPort());
      note(
          Duration.ofNanos(answered - begun), fine, Duration.ofNanos(System.nanoTime() - answered));
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private static boolean answers200(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), GIVE_UP_MILLIS);
      socket.setSoTimeout(GIVE_UP_MILLIS);
      socket.getOutputStream().write(REQUEST);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .startsWith("HTTP/1.1 200 ");
    } catch (IOException e) {
      return false;
    }
  }

  private synchronized void note(Duration took, boolean fine, Duration tookIdle) {
    slowest = took.compareTo(slowest) > 0 ? took : slowest;
    slowestIdle = tookIdle.compareTo(slowestIdle) > 0 ? tookIdle : slowestIdle;
    answers += fine ? 1 : 0;
    failures += fine ? 0 : 1;
  }

  synchronized Duration slowest() {
    return slowest;
  }

  /** Return how long the server that does nothing else took at most. */
  synchronized Duration slowestIdle() {
    return slowestIdle;
  }

  synchronized int answers() {
    return answers;
  }

  synchronized int failures() {
    return failures;
  }

  @Override
  public void close() throws IOException {
    over = true;
    try {
      thread.join();
      idle.close();
      answering.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
