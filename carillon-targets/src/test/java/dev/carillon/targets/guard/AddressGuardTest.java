package dev.carillon.targets.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
  private static boolean passes(AddressGuard guard, String host, int port, String... addresses)
      throws UnknownHostException {
    var found = new ArrayList<InetAddress>();
    for (String address : addresses) {
      found.add(Addresses.of(address));
    }
    try {
      assertThat(guard.check(host, port, found)).isEqualTo(found);
      return true;
    } catch (AddressRefusedException refused) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, unspecified",
    "0.1.2.3, unspecified",
    "10.0.0.1, private",
    "172.31.255.255, private",
    "192.168.1.1, private",
    "100.64.0.1, shared",
    "127.0.0.1, loopback",
    "127.255.255.254, loopback",
    "169.254.169.254, metadata",
    "169.254.1.1, link-local",
    "168.63.129.16, metadata",
    "100.100.100.200, metadata",
    "192.0.0.192, metadata",
    "192.0.0.8, reserved",
    "192.0.2.1, documentation",
    "198.18.0.1, benchmarking",
    "198.51.100.7, documentation",
    "203.0.113.9, documentation",
    "224.0.0.1, multicast",
    "240.0.0.1, reserved",
    "255.255.255.255, reserved",
    "::, unspecified",
    "::1, loopback",
    "::ffff:127.0.0.1, loopback",
    "::ffff:10.0.0.1, private",
    "::127.0.0.1, loopback",
    "::8.8.8.8, reserved",
    "::ffff:0:10.0.0.1, private",
    "64:ff9b::10.0.0.1, private",
    "64:ff9b::169.254.169.254, metadata",
    "64:ff9b:1::8.8.8.8, reserved",
    "100::1, reserved",
    "2001:0:808:808::f5ff:fffe, private",
    "2001:0:a00:1::f7f7:f7f7, private",
    "2001:2::1, benchmarking",
    "2001:db8::1, documentation",
    "2002:7f00:1::, loopback",
    "2002:a00:1::1, private",
    "2606:2800:21f::200:5efe:192.168.0.1, private",
    "3fff::1, documentation",
    "5f00::1, reserved",
    "fc00::1, unique-local",
    "fd00:ec2::254, metadata",
    "fd12:3456::1, unique-local",
    "fe80::1, link-local",
    "fec0::1, link-local",
    "ff02::1, multicast"
  })
  void an_address_that_is_not_public_is_refused(String address, String kind) throws Exception {
    InetAddress found = Addresses.of(address);

    assertThat(AddressKind.of(found).map(AddressKind::label)).contains(kind);
    assertThatThrownBy(() -> AddressGuard.strict().check("host.test", 443, List.of(found)))
        .isInstanceOf(AddressRefusedException.class)
        .hasMessageContaining("host.test leads to ")
        .hasMessageContaining("a " + kind + " address");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
        "2a00:1450:4001::200e",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
        "2001:0:808:808::f7f7:f7f7"
      })
  void a_public_address_passes(String address) throws Exception {
    assertThat(passes(AddressGuard.strict(), "host.test", 443, address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "2130706433", "127.1", "0x7f.1", "0x7f000001", "0", "::1"})
  void whatever_this_machine_makes_of_a_host_is_checked(String host) throws Exception {
    List<InetAddress> found;
    try {
      found = AddressLookup.system().find(host);
    } catch (UnknownHostException safe) {
      return; // some systems and versions of Java do not parse such numbers, so no host is called
    }

    assertThatThrownBy(() -> AddressGuard.strict().check(host, 80, found))
        .isInstanceOf(AddressRefusedException.class);
  }

  @Test
  void one_bad_address_among_many_refuses_the_name() throws Exception {
    assertThat(passes(AddressGuard.strict(), "a.test", 80, "8.8.8.8", "1.1.1.1")).isTrue();
    assertThat(passes(AddressGuard.strict(), "a.test", 80, "8.8.8.8", "10.0.0.1")).isFalse();
    assertThat(passes(AddressGuard.strict(), "a.test", 80, "fd00::1", "8.8.8.8")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/16, any.test, 80, 10.1.2.3, true",
    "10.1.0.0/16, any.test, 80, 10.2.0.1, false",
    "10.1.0.0/16, any.test, 80, ::ffff:10.1.2.3, true",
    "10.1.0.0/16:8080, any.test, 8080, 10.1.2.3, true",
    "10.1.0.0/16:8080, any.test, 80, 10.1.2.3, false",
    "127.0.0.1, any.test, 80, 127.0.0.1, true",
    "127.0.0.1, any.test, 80, 127.0.0.2, false",
    "127.0.0.1:9000, any.test, 9000, 127.0.0.1, true",
    "127.0.0.1:9000, any.test, 9001, 127.0.0.1, false",
    "fd00::/8, any.test, 80, fd12::1, true",
    "fd00::/8, any.test, 80, fc00::1, false",
    "::1, any.test, 80, ::1, true",
    "[::1], any.test, 80, ::1, true",
    "[::1]:9000, any.test, 9000, ::1, true",
    "[::1]:9000, any.test, 80, ::1, false",
    "Hooks.Internal, hooks.internal, 80, 10.0.0.1, true",
    "hooks.internal, HOOKS.internal., 80, 10.0.0.1, true",
    "hooks.internal, nothooks.internal, 80, 10.0.0.1, false",
    "hooks.internal, a.hooks.internal, 80, 10.0.0.1, false",
    "hooks.internal:8080, hooks.internal, 8080, 192.168.0.9, true",
    "hooks.internal:8080, hooks.internal, 80, 192.168.0.9, false",
    "localhost, localhost, 80, 127.0.0.1, true",
    "hooks.internal, hooks.internal, 80, 169.254.169.254, false",
    "hooks.internal, hooks.internal, 80, fe80::1, false",
    "hooks.internal, hooks.internal, 80, 0.0.0.0, false",
    "169.254.169.254, any.test, 80, 169.254.169.254, true"
  })
  void the_allow_list_opens_what_it_names(
      String entry, String host, int port, String address, boolean allowed) throws Exception {
    assertThat(passes(AddressGuard.allowing(List.of(entry)), host, port, address))
        .isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.1/8 | has bits set behind its first 8; a block begins with its lowest address",
        "10.0.0.0/33 | must end in a number of bits from /0 to /32",
        "fd00::/129 | must end in a number of bits from /0 to /128",
        "10.0.0/8 | is no block of addresses, such as 10.0.0.0/8 or fd00::/8",
        "host/8 | is no block of addresses",
        "host:0 | must end in a port from 1 to 65535",
        "host:http | must end in a port from 1 to 65535",
        "0x7f.1 | cannot be allowed",
        "2130706433 | cannot be allowed",
        "https://host | must end in a port",
        "*.internal | cannot be allowed",
        "'' | cannot be allowed"
      })
  void an_entry_that_cannot_be_read_is_refused(String entry, String message) {
    assertThatThrownBy(() -> AddressGuard.allowing(List.of(entry)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void addresses_of_this_machine_are_refused_though_they_are_public() throws Exception {
    InetAddress mine = Addresses.of("8.8.8.8");
    AddressGuard guard = AddressGuard.allowing(List.of("me.test")).refusing(mine::equals);

    assertThat(passes(guard, "other.test", 80, "8.8.8.8")).isFalse();
    assertThat(passes(guard, "other.test", 80, "64:ff9b::8.8.8.8")).isFalse();
    assertThat(passes(guard, "me.test", 80, "8.8.8.8")).isTrue();
    assertThat(passes(guard, "other.test", 80, "8.8.4.4")).isTrue();
  }

  @Test
  void an_address_that_this_machine_gets_later_is_refused_from_then_on() throws Exception {
    var mine = new ArrayList<InetAddress>();
    AddressGuard guard = AddressGuard.strict().refusing(mine::contains);

    assertThat(passes(guard, "other.test", 80, "8.8.8.8")).isTrue();
    mine.add(Addresses.of("8.8.8.8"));
    assertThat(passes(guard, "other.test", 80, "8.8.8.8")).isFalse();
    mine.clear();
    assertThat(passes(guard, "other.test", 80, "8.8.8.8")).isTrue();
  }

  @Test
  void the_addresses_of_this_machine_are_those_of_its_interfaces() throws Exception {
    assertThat(OwnAddresses.contain(InetAddress.getLoopbackAddress())).isTrue();
    assertThat(OwnAddresses.contain(Addresses.of("8.8.8.8"))).isFalse();
  }
}
