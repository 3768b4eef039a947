package dev.carillon.server.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** Free ports of this machine. */
final class Loopback {
  private Loopback() {}

  static ServerSocketChannel bound() {
    try {
      return ServerSocketChannel.open()
          .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
