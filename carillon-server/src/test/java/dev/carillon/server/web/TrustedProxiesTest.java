package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrustedProxiesTest {
  private final TrustedProxies proxies =
      TrustedProxies.parse("10.0.0.0/8, 192.0.2.7,2001:db8:1::/48");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // peer | X-Forwarded-For | client
        "203.0.113.9 | 198.51.100.1 | 203.0.113.9",
        "10.0.0.1 | 198.51.100.1 | 198.51.100.1",
        "10.0.0.1 | 198.51.100.1, 10.0.0.2 , 192.0.2.7 | 198.51.100.1",
        "10.0.0.1 | 1.2.3.4, 198.51.100.1 | 198.51.100.1",
        "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
        "10.0.0.1 | 198.51.100.1:4711 | 198.51.100.1",
        "10.0.0.1 | 2001:db8:2::5 | 2001:db8:2:0:0:0:0:5",
        "10.0.0.1 | [2001:db8:2::5]:443 | 2001:db8:2:0:0:0:0:5",
        "2001:db8:1::1 | 198.51.100.1 | 198.51.100.1",
        "10.0.0.1 | ::ffff:198.51.100.1 | 198.51.100.1",
        "10.0.0.1 | unknown | 10.0.0.1",
        "10.0.0.1 | localhost | 10.0.0.1",
        "10.0.0.1 | 198.51.100.1, evil.example, 10.0.0.2 | 10.0.0.2",
        "10.0.0.1 | '' | 10.0.0.1",
        "10.0.0.1 | , , | 10.0.0.1",
        "10.0.0.1 | 999.1.1.1 | 10.0.0.1",
        "10.0.0.1 | 0x7f.1 | 10.0.0.1",
      })
  void what_trusted_proxies_say_is_believed_from_the_right(
      String peer, String header, String client) {
    assertThat(proxies.client(peer, Optional.of(header), Optional.empty())).isEqualTo(client);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "10.0.0.1 | for=198.51.100.1 | 198.51.100.1",
        "10.0.0.1 | For=\"198.51.100.1:80\";proto=https;by=10.0.0.1 | 198.51.100.1",
        "10.0.0.1 | for=\"[2001:db8:2::5]:80\" | 2001:db8:2:0:0:0:0:5",
        "10.0.0.1 | for=1.2.3.4, for=198.51.100.1;host=x, proto=http;for=10.0.0.2 | 198.51.100.1",
        "10.0.0.1 | for=1.2.3.4;host=\"a,b;for=5.6.7.8\", for=198.51.100.1 | 198.51.100.1",
        "10.0.0.1 | for=_hidden | 10.0.0.1",
        "10.0.0.1 | proto=https | 10.0.0.1",
        "10.0.0.1 | for=\"unclosed, for=1.2.3.4 | 1.2.3.4",
        "203.0.113.9 | for=198.51.100.1 | 203.0.113.9",
      })
  void the_standard_header_is_read_as_well(String peer, String header, String client) {
    assertThat(proxies.client(peer, Optional.empty(), Optional.of(header))).isEqualTo(client);
  }

  @Test
  void headers_that_contradict_each_other_are_not_believed() {
    assertThat(
            proxies.client(
                "10.0.0.1", Optional.of("198.51.100.1"), Optional.of("for=198.51.100.2")))
        .isEqualTo("10.0.0.1");
    assertThat(
            proxies.client(
                "10.0.0.1", Optional.of("198.51.100.1"), Optional.of("for=198.51.100.1")))
        .isEqualTo("198.51.100.1");
  }

  @Test
  void without_trusted_proxies_headers_are_ignored() {
    assertThat(
            TrustedProxies.NONE.client("127.0.0.1", Optional.of("198.51.100.1"), Optional.empty()))
        .isEqualTo("127.0.0.1");
  }

  @Test
  void the_longest_lists_take_no_time() {
    String many = "10.0.0.2,".repeat(100_000) + "10.0.0.3";

    assertThat(proxies.client("10.0.0.1", Optional.of(many), Optional.empty()))
        .isEqualTo("10.0.0.2");
    assertThat(proxies.client("10.0.0.1", Optional.empty(), Optional.of("for=\"".repeat(100_000))))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void what_is_no_block_of_addresses_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrustedProxies.parse("10.0.0.0/8,proxy.example"))
        .withMessage("'proxy.example' is no block of addresses, such as 10.0.0.0/8 or fd00::/8");
  }
}
