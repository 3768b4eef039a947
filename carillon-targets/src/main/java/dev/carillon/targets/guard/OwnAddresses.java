package dev.carillon.targets.guard;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** The addresses of this machine's interfaces, as they are at the moment: some come and go. */
final class OwnAddresses {
  private OwnAddresses() {}

  /** Tell whether an interface has {@code address}; also if they cannot be listed. */
  static boolean contain(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true;
    }
  }
}
