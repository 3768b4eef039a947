package dev.carillon.resilience.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of bytes, which does to those who call it what its manner says. */
final class HostileEndpoint implements AutoCloseable {
  private static final int BACKLOG = 500;

  private final ServerSocket server =
      new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Manner manner;

  /** How a call is answered; the connection stays open afterwards unless it is closed. */
  interface Manner {
    void answer(Socket socket) throws IOException;
  }

  HostileEndpoint(Manner manner) throws IOException {
    this.manner = manner;
    threads.execute(this::accept);
  }

  String url() {
    return "http://127.0.0.1:%s/".formatted(server.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        threads.execute(() -> serve(socket));
      }
    } catch (IOException closed) {
      // the server may close it
    }
  }

  private void serve(Socket socket) {
    try {
      if (socket.getInputStream().read(new byte[64 * 1024]) > 0) {
        manner.answer(socket);
      }
    } catch (IOException closedByEitherSide) {
      // either side may close it
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
