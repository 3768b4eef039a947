package dev.carillon.console.browser;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** An empty page of another site, from which a browser can be made to send requests. */
final class OtherSite implements AutoCloseable {
  private final HttpServer server;

  OtherSite() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  /** Return its address: an IP, which is another site than the name of the console. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
