package dev.carillon.server.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.EndPoint;

/**
 * Finds out whether the client of a request that is answered later is still there.
 *
 * <p>Jetty does not read from a connection while a request is under way, so it would not notice;
 * and the first write to a client that has gone does not fail.
 */
final class ClientProbe {
  private ClientProbe() {}

  /* A client that waits for an answer sends nothing: what can be read is the end of the connection,
   * or the next request of a client that pipelines, which must send it again on a new one. */
  static boolean isThere(EndPoint endPoint) {
    EndPoint outer = outer(endPoint);
    if (!outer.isOpen() || !(outer.getTransport() instanceof SocketChannel channel)) {
      return outer.isOpen();
    }
    try {
      if (channel.read(ByteBuffer.allocate(1)) == 0) {
        return true;
      }
    } catch (IOException e) {
      // gone as well
    }
    endPoint.close();
    return false;
  }

  /** Return the connection itself, which TLS may have wrapped. */
  static EndPoint outer(EndPoint endPoint) {
    EndPoint outer = endPoint;
    while (outer instanceof EndPoint.Wrapper wrapper) {
      outer = wrapper.unwrap();
    }
    return outer;
  }
}
