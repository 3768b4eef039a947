package dev.carillon.server.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.EndPoint;

/**
 * Tells whether the client of a request that is answered later is still there.
 *
 * <p>Jetty does not read from a connection while a request is under way, so it would not notice;
 * and what is first written to somebody who has gone is not refused by the system.
 */
final class ClientProbe {
  private ClientProbe() {}

  /* Who waits for an answer has nothing to say: whatever can be read is a goodbye, or the next
   * request of a client that does not wait, which has to send it again on a new connection. */
  static boolean isThere(EndPoint endPoint) {
    EndPoint outer = endPoint;
    while (outer instanceof EndPoint.Wrapper wrapper) {
      outer = wrapper.unwrap();
    }
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
}
