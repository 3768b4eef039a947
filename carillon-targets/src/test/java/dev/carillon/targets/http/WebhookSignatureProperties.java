package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Signatures against the library of the specification. */
class WebhookSignatureProperties {
  private static byte[] bytes(Gen any, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) any.number(0, 255);
    }
    return bytes;
  }

  @Property
  void any_message_is_signed_as_the_specifications_library_signs_it(Gen any) throws Exception {
    byte[] key = bytes(any, any.number(24, 64));
    String id = any.text(50);
    String body = any.text(500);
    Instant at = any.instant();
    String secret = "whsec_" + Base64.getEncoder().encodeToString(key);

    assertThat(
            WebhookSignature.of(List.of(secret))
                .sign(id, at, body.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new Webhook(key).sign(id, at.getEpochSecond(), body));
  }

  @Property
  void each_of_several_secrets_verifies_and_no_other(Gen any) throws Exception {
    List<String> secrets =
        IntStream.rangeClosed(1, any.number(1, 5))
            .mapToObj(i -> "whsec_" + Base64.getEncoder().encodeToString(bytes(any, 32)))
            .toList();
    String body = any.text(200);
    Instant now = Instant.now();
    Map<String, List<String>> headers =
        Map.of(
            "webhook-id",
            List.of("msg"),
            "webhook-timestamp",
            List.of(Long.toString(now.getEpochSecond())),
            "webhook-signature",
            List.of(
                WebhookSignature.of(secrets)
                    .sign("msg", now, body.getBytes(StandardCharsets.UTF_8))));

    for (String secret : secrets) {
      new Webhook(secret).verify(body, headers);
    }
    var stranger = new Webhook(bytes(any, 32));
    assertThatThrownBy(() -> stranger.verify(body, headers))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void a_secret_without_the_prefix_is_taken_as_it_is_written() throws Exception {
    String plain = "a plain secret, long enough";

    assertThat(WebhookSignature.of(List.of(plain)).sign("m", Instant.EPOCH, new byte[0]))
        .isEqualTo(new Webhook(plain.getBytes(StandardCharsets.UTF_8)).sign("m", 0, ""));
  }

  @Test
  void there_is_no_signature_without_a_secret() {
    assertThatThrownBy(() -> WebhookSignature.of(List.of()))
        .hasMessage("a signature needs at least one secret");
  }
}
