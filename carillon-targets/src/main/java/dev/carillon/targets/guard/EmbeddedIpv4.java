package dev.carillon.targets.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the IPv4 addresses embedded in an IPv6 address, to which its packets may be delivered. */
final class EmbeddedIpv4 {
  static final int BYTES = 4;

  private static final int LAST_OFFSET = 12;
  private static final Cidr COMPATIBLE = Cidr.parse("::/96");
  private static final Cidr TRANSLATED_STATELESS = Cidr.parse("::ffff:0:0:0/96");
  private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
  private static final Cidr SIX_TO_FOUR = Cidr.parse("2002::/16");
  private static final Cidr TEREDO = Cidr.parse("2001::/32");

  private EmbeddedIpv4() {}

  /** Return the addresses in {@code ipv6}; Java has already turned mapped ones into IPv4. */
  static List<InetAddress> in(byte[] ipv6) {
    var found = new ArrayList<InetAddress>();
    if (COMPATIBLE.contains(ipv6) || TRANSLATED_STATELESS.contains(ipv6) || NAT64.contains(ipv6)) {
      found.add(at(LAST_OFFSET, ipv6));
    }
    if (SIX_TO_FOUR.contains(ipv6)) {
      found.add(at(2, ipv6));
    }
    if (TEREDO.contains(ipv6)) {
      found.add(at(4, ipv6));
      found.add(at(0, inverted(ipv6))); // RFC 4380: the client's address is stored inverted
    }
    if (isIsatap(ipv6)) {
      found.add(at(LAST_OFFSET, ipv6));
    }
    return found;
  }

  /** Return whether gateways translate packets to {@code ipv6} to its IPv4 address. */
  static boolean isTranslated(byte[] ipv6) {
    return NAT64.contains(ipv6);
  }

  /* RFC 5214: under any prefix, the interface is 0000:5efe or 0200:5efe and the address. */
  private static boolean isIsatap(byte[] ipv6) {
    return (ipv6[8] & ~2) == 0 && ipv6[9] == 0 && ipv6[10] == 0x5E && ipv6[11] == (byte) 0xFE;
  }

  private static byte[] inverted(byte[] ipv6) {
    byte[] client = Arrays.copyOfRange(ipv6, LAST_OFFSET, LAST_OFFSET + BYTES);
    for (int i = 0; i < BYTES; i++) {
      client[i] = (byte) ~client[i];
    }
    return client;
  }

  private static InetAddress at(int offset, byte[] bytes) {
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(bytes, offset, offset + BYTES));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are always an address", e);
    }
  }
}
