package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.target.Outcome;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.guard.AddressLookup;
import dev.carillon.targets.guard.Addresses;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Connections to addresses that were checked, and to no others. */
class HttpGuardTest {
  private static Hooks hooks(AddressGuard guard, AddressLookup lookup) throws Exception {
    return new Hooks(HttpSender.start(guard, lookup, SSLContext.getDefault()));
  }

  @Test
  void an_inside_endpoint_is_refused_for_good_and_never_called() throws Exception {
    try (var endpoint = Endpoint.answering(200, "");
        var hooks = new Hooks(HttpSender.start(AddressGuard.strict()))) {
      Outcome.Failed failed = TestRun.of("nightly").on(hooks.to(endpoint.url())).failed();

      assertThat(failed.retryable()).isFalse();
      assertThat(failed.failure().code()).isEqualTo("address_refused");
      assertThat(failed.failure().message())
          .isEqualTo(
              "POST %s was not called: 127.0.0.1 is a loopback address, which targets may not call; an operator can allow it with the setting allowed-hosts (serve --allowed-hosts 127.0.0.1)"
                  .formatted(endpoint.url()));
      assertThat(endpoint.received()).isEmpty();
    }
  }

  @Test
  void an_ipv6_address_is_refused_as_well() throws Exception {
    try (var hooks = new Hooks(HttpSender.start(AddressGuard.strict()))) {
      for (String host : List.of("[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "localhost")) {
        assertThat(TestRun.of("nightly").on(hooks.to("http://" + host + ":1/")).failed().failure())
            .extracting("code")
            .isEqualTo("address_refused");
      }
    }
  }

  @Test
  void a_name_is_looked_up_once_per_connection_so_a_second_answer_changes_nothing()
      throws Exception {
    var lookups = new AtomicInteger();
    // The second answer, which an attacker would give after the check, is inside and not allowed.
    AddressLookup rebinding =
        host -> List.of(Addresses.of(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.2"));
    try (var endpoint = Endpoint.answering(200, "");
        var hooks = hooks(AddressGuard.allowing(List.of("127.0.0.1")), rebinding)) {
      HttpTarget target = hooks.to("http://rebinding.test:" + endpoint.port() + "/hook");

      assertThat(TestRun.of("nightly").on(target).outcome()).isEqualTo(Outcome.succeeded());
      assertThat(lookups).hasValue(1);
      assertThat(endpoint.only().header("host")).isEqualTo("rebinding.test:" + endpoint.port());
    }
  }

  @Test
  void a_name_that_leads_inside_at_the_next_connection_is_refused_then() throws Exception {
    var lookups = new AtomicInteger();
    AddressLookup rebinding =
        host -> List.of(Addresses.of(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "10.0.0.1"));
    try (var endpoint = RawEndpoint.saying("HTTP/1.1 204 Fine\r\nConnection: close\r\n\r\n");
        var hooks = hooks(AddressGuard.allowing(List.of("127.0.0.1")), rebinding)) {
      HttpTarget target = hooks.to("http://rebinding.test:" + endpoint.port() + "/hook");

      assertThat(TestRun.of("nightly").on(target).outcome()).isEqualTo(Outcome.succeeded());
      assertThat(TestRun.of("nightly").on(target).failed().failure().code())
          .isEqualTo("address_refused");
    }
  }

  @Test
  void a_name_with_one_inside_address_among_others_is_refused() throws Exception {
    AddressLookup mixed = host -> List.of(Addresses.of("93.184.216.34"), Addresses.of("10.0.0.1"));
    try (var hooks = hooks(AddressGuard.strict(), mixed)) {
      assertThat(
              TestRun.of("nightly").on(hooks.to("http://mixed.test/")).failed().failure().message())
          .contains("mixed.test leads to 10.0.0.1, a private address");
    }
  }

  @Test
  void the_next_address_is_tried_if_one_does_not_answer() throws Exception {
    AddressLookup two = host -> List.of(Addresses.of("127.0.0.3"), Addresses.of("127.0.0.1"));
    try (var endpoint = Endpoint.answering(200, "");
        var hooks = hooks(AddressGuard.allowing(List.of("two.test")), two)) {
      assertThat(
              TestRun.of("nightly")
                  .on(hooks.to("http://two.test:" + endpoint.port() + "/"))
                  .outcome())
          .isEqualTo(Outcome.succeeded());
    }
  }

  @Test
  void a_name_that_is_looked_up_for_long_delays_no_other() throws Exception {
    var release = new CountDownLatch(1);
    AddressLookup slow =
        host -> {
          if (host.equals("slow.test")) {
            try {
              release.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return List.of(InetAddress.getLoopbackAddress());
        };
    try (var endpoint = Endpoint.answering(200, "");
        var hooks = hooks(AddressGuard.allowing(List.of("slow.test", "fast.test")), slow)) {
      HttpTarget stuck =
          hooks.to("http://slow.test:" + endpoint.port() + "/", Map.of("timeout", "PT30S"));
      var waiting = new ArrayList<TestRun>();
      for (int i = 0; i < 100; i++) {
        waiting.add(TestRun.of("nightly").on(stuck));
      }
      HttpTarget fast = hooks.to("http://fast.test:" + endpoint.port() + "/");

      assertThat(TestRun.of("nightly").on(fast).outcome()).isEqualTo(Outcome.succeeded());
      assertThat(waiting).allMatch(run -> run.outcomes().isEmpty());
      release.countDown();
      for (TestRun run : waiting) {
        assertThat(run.outcome()).isEqualTo(Outcome.succeeded());
      }
    }
  }
}
