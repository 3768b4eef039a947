package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server that refuses clients without a certificate. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class ClientCertificateTest {
  private final Certified site;
  private final Authority authority;
  private final Running server;
  private final Path folder;

  ClientCertificateTest(PostgresServer postgres, @TempDir Path folder) throws Exception {
    this.folder = folder;
    site = new Certified(folder, "localhost", "DNS:localhost,IP:127.0.0.1");
    authority = new Authority(folder, "authority");
    server =
        new Running(
            postgres,
            folder,
            Map.of(
                "tls-certificate", site.certificate().toString(),
                "tls-key", site.key().toString(),
                "tls-client-ca", authority.certificate().toString(),
                "tls-client-roles", "ops.example.org:operator",
                "tls-client-required", "true"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private SSLSocket shakingHands(SSLContext context, String protocol) throws IOException {
    int port = URI.create(server.url()).getPort();
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    try {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setSoTimeout(20_000);
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private String talk(SSLContext context, String protocol) throws IOException {
    try (var socket = shakingHands(context, protocol)) {
      socket
          .getOutputStream()
          .write(
              "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /* In TLS 1.3 a client learns only after its part of the handshake that it was refused. */
  private void assertRefused(SSLContext context) {
    assertThat(catchThrowable(() -> shakingHands(context, "TLSv1.2")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
    assertThat(catchThrowable(() -> talk(context, "TLSv1.3")))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  private HttpResponse<String> me(SSLContext context, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/me"));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void a_client_without_certificate_is_refused_during_the_handshake() throws Exception {
    assertRefused(Certified.trusting(site));
  }

  @Test
  void a_certificate_of_another_authority_is_refused_whatever_name_it_has() throws Exception {
    var other = new Authority(folder, "other");
    Certified forged = other.sign("ops.example.org");
    var itself = new Certified(folder, "ops.example.org", "DNS:ops.example.org");

    assertRefused(Certified.insisting(site, forged));
    assertRefused(Certified.insisting(site, itself));
  }

  @Test
  void a_certificate_stands_for_a_role_and_no_name_for_none() throws Exception {
    SSLContext ops = Certified.insisting(site, authority.sign("ops.example.org"));
    SSLContext guest = Certified.insisting(site, authority.sign("guest.example.org"));

    assertThat(talk(ops, "TLSv1.2")).startsWith("HTTP/1.1 200");
    assertThat(talk(ops, "TLSv1.3")).startsWith("HTTP/1.1 200");
    assertThat(Answer.parse(me(ops).body()))
        .isEqualTo(
            Answer.parse(
                """
                {"name": "ops.example.org", "role": "operator", "signedInBy": "certificate", "scope": null}"""));
    assertThat(me(guest).statusCode()).isEqualTo(401);
    assertThat(me(guest, "Authorization", "Bearer " + Running.TOKEN).body())
        .contains("\"role\":\"admin\"");
  }
}
