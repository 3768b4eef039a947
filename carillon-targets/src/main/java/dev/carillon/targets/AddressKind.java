package dev.carillon.targets;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why an address is not one of the public Internet. The blocks are those of IANA's registries of
 * special-purpose addresses, and the addresses at which clouds tell a machine its secrets.
 */
enum AddressKind {
  METADATA(
      "169.254.169.254/32",
      "168.63.129.16/32",
      "192.0.0.192/32",
      "100.100.100.200/32",
      "fd00:ec2::254/128",
      "fd20:ce::254/128",
      "fd00:c1::a9fe:a9fe/128"),
  UNSPECIFIED("0.0.0.0/8", "::/128"),
  LOOPBACK("127.0.0.0/8", "::1/128"),
  PRIVATE("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
  SHARED("100.64.0.0/10"),
  UNIQUE_LOCAL("fc00::/7"),
  LINK_LOCAL("169.254.0.0/16", "fe80::/10", "fec0::/10"),
  MULTICAST("224.0.0.0/4", "ff00::/8"),
  DOCUMENTATION("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"),
  BENCHMARKING("198.18.0.0/15", "2001:2::/48"),
  RESERVED("192.0.0.0/24", "192.88.99.0/24", "240.0.0.0/4", "2001:10::/28", "2001:20::/28");

  /* What IANA has given out so far; the rest of IPv6 is reserved. */
  private static final Cidr GIVEN_OUT = Cidr.parse("2000::/3");

  private final List<Cidr> blocks;

  AddressKind(String... blocks) {
    this.blocks = Stream.of(blocks).map(Cidr::parse).toList();
  }

  /** Return why {@code address} is not public; empty if it is. */
  static Optional<AddressKind> of(InetAddress address) {
    byte[] bytes = address.getAddress();
    Optional<AddressKind> listed =
        Stream.of(values()).filter(kind -> kind.holds(bytes)).findFirst();
    if (listed.isPresent() || bytes.length == EmbeddedIpv4.BYTES) {
      return listed;
    }
    List<InetAddress> inner = EmbeddedIpv4.in(bytes);
    Optional<AddressKind> hidden = inner.stream().flatMap(each -> of(each).stream()).findFirst();
    boolean reachable = GIVEN_OUT.contains(bytes) || EmbeddedIpv4.isTranslated(bytes);
    return hidden.isPresent() || reachable ? hidden : Optional.of(RESERVED);
  }

  /** Tell whether naming a host is enough to allow it: no name should lead to a cloud's secrets. */
  boolean canBeAllowedByName() {
    return this == LOOPBACK || this == PRIVATE || this == SHARED || this == UNIQUE_LOCAL;
  }

  private boolean holds(byte[] address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  /** Return the word for people. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
