package dev.carillon.targets.guard;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kind of an address that is not on the public Internet. The blocks come from IANA's registries
 * of special-purpose addresses; {@code METADATA} lists the metadata services of clouds.
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

  /* Allocated by IANA so far; the rest of IPv6 is reserved. */
  private static final Cidr ALLOCATED = Cidr.parse("2000::/3");

  private final List<Cidr> blocks;

  AddressKind(String... blocks) {
    this.blocks = Stream.of(blocks).map(Cidr::parse).toList();
  }

  /** Return the kind of {@code address}; empty if it is public. */
  static Optional<AddressKind> of(InetAddress address) {
    byte[] bytes = address.getAddress();
    Optional<AddressKind> listed =
        Stream.of(values()).filter(kind -> kind.contains(bytes)).findFirst();
    if (listed.isPresent() || bytes.length == EmbeddedIpv4.BYTES) {
      return listed;
    }
    List<InetAddress> inner = EmbeddedIpv4.in(bytes);
    Optional<AddressKind> embedded = inner.stream().flatMap(each -> of(each).stream()).findFirst();
    boolean reachable = ALLOCATED.contains(bytes) || EmbeddedIpv4.isTranslated(bytes);
    return embedded.isPresent() || reachable ? embedded : Optional.of(RESERVED);
  }

  /** Return whether a host name is enough to allow it: no name may open a metadata service. */
  boolean canBeAllowedByName() {
    return this == LOOPBACK || this == PRIVATE || this == SHARED || this == UNIQUE_LOCAL;
  }

  private boolean contains(byte[] address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  /** Return the name as shown in messages. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
