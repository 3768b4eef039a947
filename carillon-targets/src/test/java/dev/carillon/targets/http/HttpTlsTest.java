package dev.carillon.targets.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsExchange;
import dev.carillon.target.Outcome;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.guard.AddressLookup;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints behind TLS: the address is checked, the certificate is that of the name. */
class HttpTlsTest {
  private static final String NAME = "hooks.example.test";
  private static final AddressGuard GUARD =
      AddressGuard.allowing(List.of(NAME, "other.example.test", "127.0.0.1"));
  private static final AddressLookup HERE = host -> List.of(InetAddress.getLoopbackAddress());

  @TempDir private static Path folder;

  private final List<String> askedFor = new CopyOnWriteArrayList<>();

  private Endpoint endpoint(TestAuthority authority) throws Exception {
    return Endpoint.secure(
        authority.server(),
        exchange -> {
          var session = (ExtendedSSLSession) ((HttpsExchange) exchange).getSSLSession();
          session
              .getRequestedServerNames()
              .forEach(name -> askedFor.add(((SNIHostName) name).getAsciiName()));
          Endpoint.reply(exchange, 200, "");
        });
  }

  private static TestRun run(Hooks hooks, String host, int port) throws Exception {
    return TestRun.of("nightly").on(hooks.to("https://" + host + ":" + port + "/hook"));
  }

  @Test
  void the_certificate_is_verified_by_the_name_which_the_server_is_told() throws Exception {
    TestAuthority authority = TestAuthority.of(NAME, folder);
    try (var endpoint = endpoint(authority);
        var hooks = new Hooks(HttpSender.start(GUARD, HERE, authority.client()))) {
      assertThat(run(hooks, NAME, endpoint.port()).outcome()).isEqualTo(Outcome.succeeded());
      assertThat(askedFor).containsExactly(NAME);
      assertThat(endpoint.only().header("host")).isEqualTo(NAME + ":" + endpoint.port());
    }
  }

  @Test
  void a_certificate_of_another_name_is_refused() throws Exception {
    TestAuthority authority = TestAuthority.of("another." + NAME, folder);
    try (var endpoint = endpoint(authority);
        var hooks = new Hooks(HttpSender.start(GUARD, HERE, authority.client()))) {
      var codes = new ArrayList<String>();
      for (String host : List.of(NAME, "other.example.test", "127.0.0.1")) {
        Outcome.Failed failed = run(hooks, host, endpoint.port()).failed();
        codes.add(failed.failure().code());
        assertThat(failed.retryable()).isTrue();
      }

      assertThat(codes).containsOnly("tls");
      assertThat(endpoint.received()).isEmpty();
    }
  }

  @Test
  void a_certificate_nobody_vouches_for_is_refused() throws Exception {
    TestAuthority authority = TestAuthority.of("unvouched.example.test", folder);
    try (var endpoint = endpoint(authority);
        var hooks =
            new Hooks(
                HttpSender.start(
                    AddressGuard.allowing(List.of("unvouched.example.test")),
                    HERE,
                    SSLContext.getDefault()))) {
      assertThat(run(hooks, "unvouched.example.test", endpoint.port()).failed().failure().code())
          .isEqualTo("tls");
      assertThat(endpoint.received()).isEmpty();
    }
  }

  @Test
  void an_endpoint_without_tls_is_a_failure() throws Exception {
    try (var endpoint =
            new RawEndpoint(
                socket -> socket.getOutputStream().write("220 smtp.test\r\n".getBytes(US_ASCII)));
        var hooks = new Hooks(HttpSender.start(GUARD, HERE, SSLContext.getDefault()))) {
      assertThat(run(hooks, NAME, endpoint.port()).failed().failure().code()).isEqualTo("tls");
    }
  }
}
