package dev.carillon.server;

import dev.carillon.fixture.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The only way to a database; while it is shut, the database is down, while frozen, it hangs. */
final class Gateway implements AutoCloseable {
  private final int database;
  private final int port;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private Future<?> accepting = CompletableFuture.completedFuture(null);
  private ServerSocket listener;
  private boolean frozen;

  /** Lead to {@code database}, a port of this machine. */
  Gateway(int database) throws IOException {
    this.database = database;
    this.listener = listen(0);
    this.port = listener.getLocalPort();
  }

  private ServerSocket listen(int wanted) throws IOException {
    var socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
    accepting = threads.submit(() -> accept(socket));
    return socket;
  }

  int port() {
    return port;
  }

  private void accept(ServerSocket on) {
    try {
      while (true) {
        Socket client = on.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), database);
        open.add(client);
        open.add(server);
        threads.execute(() -> pass(client, server));
        threads.execute(() -> pass(server, client));
      }
    } catch (IOException shut) {
      // closed
    }
  }

  private void pass(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      var buffer = new byte[8_192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitThaw();
        out.write(buffer, 0, read);
      }
    } catch (IOException | InterruptedException over) {
      // the other end is closed as well
    }
    open.remove(from);
    open.remove(to);
  }

  private synchronized void awaitThaw() throws InterruptedException {
    while (frozen) {
      wait();
    }
  }

  /** Cut every connection and refuse new ones. */
  void shut() throws IOException {
    listener.close();
    Await.until("the last accept", accepting::isDone); // which may let one more connection in
    for (Socket socket : open) {
      socket.close();
    }
  }

  /** Accept connections again. */
  void reopen() throws IOException {
    listener = listen(port);
  }

  /** Pass nothing on, and close nothing. */
  synchronized void freeze() {
    frozen = true;
  }

  /** Pass on what was held up. */
  synchronized void thaw() {
    frozen = false;
    notifyAll();
  }

  @Override
  public void close() {
    thaw();
    try {
      shut();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
