package dev.carillon.targets.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** A server that speaks bytes, so that it can speak HTTP wrongly. */
final class RawEndpoint implements AutoCloseable {
  private final ServerSocket server;
  private final Manner manner;
  private final AtomicInteger connections = new AtomicInteger();
  private final List<Socket> open = new ArrayList<>();

  /** What to do with a connection; it stays open afterwards unless it is closed. */
  @FunctionalInterface
  interface Manner {
    void serve(Socket socket) throws IOException;
  }

  RawEndpoint(Manner manner) {
    this.manner = manner;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var thread = new Thread(this::accept, "raw-endpoint");
    thread.setDaemon(true);
    thread.start();
  }

  /** Read the request, write {@code answer}, close. */
  static RawEndpoint saying(String answer) {
    return new RawEndpoint(
        socket -> {
          readRequest(socket);
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
          socket.close();
        });
  }

  /** Read up to the end of the headers and what has come of the body. */
  static void readRequest(Socket socket) throws IOException {
    var head = new StringBuilder();
    var in = socket.getInputStream();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return;
      }
      head.append((char) next);
    }
    var length = Pattern.compile("(?i)content-length: *([0-9]+)").matcher(head);
    if (length.find()) {
      in.readNBytes(Integer.parseInt(length.group(1)));
    }
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = server.accept();
        synchronized (open) {
          open.add(socket);
        }
        connections.incrementAndGet();
        manner.serve(socket);
      } catch (IOException closedByEitherSide) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  int connections() {
    return connections.get();
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/hook";
  }

  @Override
  public void close() throws IOException {
    server.close();
    synchronized (open) {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }
}
