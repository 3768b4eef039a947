package dev.carillon.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server and cuts the first connections whose client says a given word. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final int port;
  private final String word;
  private final AtomicInteger cuts;

  private CuttingProxy(ServerSocket listener, int port, String word, int cuts) {
    this.listener = listener;
    this.port = port;
    this.word = word;
    this.cuts = new AtomicInteger(cuts);
  }

  /** Stand before {@code port} of this machine and cut {@code cuts} connections. */
  static CuttingProxy before(int port, String word, int cuts) throws IOException {
    var proxy =
        new CuttingProxy(
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port, word, cuts);
    proxy.threads.execute(proxy::accept);
    return proxy;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Return how many connections are still to be cut. */
  int cutsLeft() {
    return cuts.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), port);
        threads.execute(() -> pass(client, server, true));
        threads.execute(() -> pass(server, client, false));
      }
    } catch (IOException closed) {
      // closed
    }
  }

  private void pass(Socket from, Socket to, boolean cutting) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      var buffer = new byte[8_192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        String said = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
        if (cutting
            && said.contains(word)
            && cuts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          return;
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException cut) {
      // the other end is closed as well
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
