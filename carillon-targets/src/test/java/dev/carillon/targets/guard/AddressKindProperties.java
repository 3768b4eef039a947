package dev.carillon.targets.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/** Random addresses inside and just outside of every block, judged by plain arithmetic. */
class AddressKindProperties {
  private record Block(String first, String last, AddressKind kind) {}

  /* First and last address rather than prefixes, so that the oracle shares nothing with the code. */
  private static final List<Block> IPV4 =
      List.of(
          new Block("0.0.0.0", "0.255.255.255", AddressKind.UNSPECIFIED),
          new Block("10.0.0.0", "10.255.255.255", AddressKind.PRIVATE),
          new Block("100.64.0.0", "100.127.255.255", AddressKind.SHARED),
          new Block("127.0.0.0", "127.255.255.255", AddressKind.LOOPBACK),
          new Block("169.254.0.0", "169.254.255.255", AddressKind.LINK_LOCAL),
          new Block("172.16.0.0", "172.31.255.255", AddressKind.PRIVATE),
          new Block("192.0.0.0", "192.0.0.255", AddressKind.RESERVED),
          new Block("192.0.2.0", "192.0.2.255", AddressKind.DOCUMENTATION),
          new Block("192.88.99.0", "192.88.99.255", AddressKind.RESERVED),
          new Block("192.168.0.0", "192.168.255.255", AddressKind.PRIVATE),
          new Block("198.18.0.0", "198.19.255.255", AddressKind.BENCHMARKING),
          new Block("198.51.100.0", "198.51.100.255", AddressKind.DOCUMENTATION),
          new Block("203.0.113.0", "203.0.113.255", AddressKind.DOCUMENTATION),
          new Block("224.0.0.0", "239.255.255.255", AddressKind.MULTICAST),
          new Block("240.0.0.0", "255.255.255.255", AddressKind.RESERVED));
  private static final List<String> METADATA =
      List.of("169.254.169.254", "168.63.129.16", "192.0.0.192", "100.100.100.200");

  private static long number(String ipv4) {
    try {
      return new BigInteger(1, Addresses.of(ipv4).getAddress()).longValueExact();
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static InetAddress ipv4(long number) {
    return address(
        (byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number);
  }

  private static InetAddress address(byte... bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<AddressKind> expected(long number) {
    if (METADATA.stream().anyMatch(address -> number(address) == number)) {
      return Optional.of(AddressKind.METADATA);
    }
    return IPV4.stream()
        .filter(block -> number(block.first()) <= number && number <= number(block.last()))
        .map(Block::kind)
        .findFirst();
  }

  /** Draw an address: anywhere, within a block, at its edge or just outside. */
  private static long any(Gen any) {
    Block block = any.oneOf(IPV4);
    long first = number(block.first());
    long last = number(block.last());
    long drawn =
        switch (any.number(0, 4)) {
          case 0 -> any.number(0L, 0xFFFF_FFFFL);
          case 1 -> any.oneOf(first, last);
          case 2 -> any.oneOf(first - 1, last + 1);
          case 3 -> number(any.oneOf(METADATA)) + any.number(-1, 1);
          default -> any.number(first, last);
        };
    return Math.max(0, Math.min(0xFFFF_FFFFL, drawn));
  }

  @Property(cases = 2_000)
  void an_ipv4_address_is_judged_by_its_block(Gen any) {
    long number = any(any);

    assertThat(AddressKind.of(ipv4(number))).as("%s", ipv4(number)).isEqualTo(expected(number));
  }

  @Property(cases = 1_000)
  void an_ipv6_address_is_as_public_as_the_ipv4_address_it_carries(Gen any) {
    long number = any(any);
    byte[] inner = ipv4(number).getAddress();
    byte[] outer = new byte[16];
    for (int i = 0; i < outer.length; i++) {
      outer[i] = (byte) any.number(0, 255);
    }
    int at =
        switch (any.number(0, 2)) {
          case 0 -> carry(outer, 12, 0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0);
          case 1 -> carry(outer, 2, 0x20, 0x02);
          default -> carry(outer, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF);
        };
    outer[at == 2 ? 8 : 0] |= at == 2 ? (byte) 0x80 : 0; // not an ISATAP interface as well
    System.arraycopy(inner, 0, outer, at, inner.length);

    assertThat(AddressKind.of(address(outer)))
        .as("%s in %s", ipv4(number), address(outer))
        .isEqualTo(expected(number));
  }

  @Property(cases = 1_000)
  void a_teredo_address_is_refused_if_its_server_or_its_client_is(Gen any) {
    long server = any(any);
    long client = any(any);
    byte[] outer = new byte[16];
    carry(outer, 4, 0x20, 0x01, 0, 0);
    System.arraycopy(ipv4(server).getAddress(), 0, outer, 4, 4);
    outer[8] = (byte) 0x80;
    System.arraycopy(ipv4(client ^ 0xFFFF_FFFFL).getAddress(), 0, outer, 12, 4);

    assertThat(AddressKind.of(address(outer)).isPresent())
        .as("server %s, client %s", ipv4(server), ipv4(client))
        .isEqualTo(expected(server).isPresent() || expected(client).isPresent());
  }

  @Property(cases = 1_000)
  void outside_of_what_is_given_out_no_ipv6_address_is_public(Gen any) {
    byte[] outer = new byte[16];
    for (int i = 0; i < outer.length; i++) {
      outer[i] = (byte) any.number(0, 255);
    }
    outer[0] = (byte) (any.percent(50) ? any.number(0x01, 0x1F) : any.number(0x40, 0xFF));

    assertThat(AddressKind.of(address(outer))).isPresent();
  }

  private static int carry(byte[] outer, int at, int... prefix) {
    for (int i = 0; i < prefix.length; i++) {
      outer[i] = (byte) prefix[i];
    }
    return at;
  }
}
