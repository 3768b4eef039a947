package dev.carillon.resilience.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Many connections of one attacker, which the server may refuse or close as it likes. */
final class Crowd implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final int port;
  private final List<Socket> sockets = new ArrayList<>();

  Crowd(int port) {
    this.port = port;
  }

  /** Open connections, and send {@code beginning} on each. */
  void open(int count, String beginning) {
    for (int i = 0; i < count; i++) {
      try {
        var socket = new Socket();
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        sockets.add(socket);
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.UTF_8));
      } catch (IOException refused) {
        // the server may refuse it
      }
    }
  }

  /** Send {@code piece} on every connection, again and again. */
  void drip(String piece, Duration hold) {
    long end = System.nanoTime() + hold.toNanos();
    while (System.nanoTime() < end) {
      for (Socket socket : sockets) {
        try {
          socket.getOutputStream().write(piece.getBytes(StandardCharsets.UTF_8));
        } catch (IOException closed) {
          // the server may close it
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
    }
  }

  /** Say no more on any connection, and leave them open for a while. */
  void endOutput() {
    for (Socket socket : sockets) {
      try {
        socket.shutdownOutput();
      } catch (IOException closed) {
        // the server may close it
      }
    }
  }

  /** Send each request on a connection of its own, {@code parallel} at a time; read all replies. */
  static List<Integer> ask(int port, List<byte[]> requests, int parallel)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(parallel);
    var statuses = new ArrayList<Integer>();
    for (byte[] request : requests) {
      threads.execute(
          () -> {
            int status = status(port, request);
            synchronized (statuses) {
              statuses.add(status);
            }
          });
    }
    threads.shutdown();
    if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
      threads.shutdownNow();
    }
    synchronized (statuses) {
      return List.copyOf(statuses);
    }
  }

  private static int status(int port, byte[] request) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request);
      byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
      var rest = new byte[64 * 1024];
      while (socket.getInputStream().read(rest) >= 0) {
        // a client that reads
      }
      return Integer.parseInt(new String(line, StandardCharsets.US_ASCII).substring(9));
    } catch (IOException | RuntimeException closed) {
      return 0;
    }
  }

  @Override
  public void close() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException closed) {
        // the server may close it
      }
    }
  }
}
