package dev.carillon.server.signin;

import dev.carillon.targets.guard.Cidr;
import java.net.Inet6Address;
import java.util.HexFormat;

/**
 * The network that a client's address stands for: itself, or for IPv6 the 64 bits that one customer
 * gets.
 */
final class ClientNetwork {
  private static final int IPV6_PREFIX_BYTES = 8;

  private ClientNetwork() {}

  static String of(String address) {
    int scope = address.indexOf('%');
    return Cidr.literal(scope < 0 ? address : address.substring(0, scope))
        .map(
            ip ->
                ip instanceof Inet6Address
                    ? HexFormat.of().formatHex(ip.getAddress(), 0, IPV6_PREFIX_BYTES) + "/64"
                    : ip.getHostAddress())
        .orElse(address);
  }
}
