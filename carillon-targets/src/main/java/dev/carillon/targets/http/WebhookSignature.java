package dev.carillon.targets.http;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs messages by the Standard Webhooks specification, so that a receiver can verify the sender,
 * the content and the time of sending.
 */
public final class WebhookSignature {
  /** The prefix of a secret in base64; a secret without it is used as UTF-8 text. */
  public static final String PREFIX = "whsec_";

  /** The shortest key that the specification allows. */
  public static final int MIN_BYTES = 24;

  /** The longest key that the specification allows. */
  public static final int MAX_BYTES = 64;

  private static final String ALGORITHM = "HmacSHA256";

  private final List<SecretKeySpec> keys;

  private WebhookSignature(List<SecretKeySpec> keys) {
    this.keys = keys;
  }

  /** Sign with each of {@code secrets}, so that receivers can rotate them without a gap. */
  public static WebhookSignature of(List<String> secrets) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException("a signature needs at least one secret");
    }
    return new WebhookSignature(secrets.stream().map(WebhookSignature::key).toList());
  }

  /** Return the value of {@code webhook-signature}: one signature per secret, in their order. */
  public String sign(String id, Instant at, byte[] body) {
    byte[] prefix = (id + "." + at.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8);
    return keys.stream()
        .map(key -> "v1," + Base64.getEncoder().encodeToString(hmac(key, prefix, body)))
        .collect(Collectors.joining(" "));
  }

  private static byte[] hmac(SecretKeySpec key, byte[] prefix, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(prefix);
      return mac.doFinal(body);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /* Messages never contain the secret, since they are shown and logged. */
  private static SecretKeySpec key(String secret) {
    byte[] bytes =
        secret.startsWith(PREFIX)
            ? decoded(secret.substring(PREFIX.length()))
            : secret.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a secret has %s to %s bytes; this one has %s; make one with: echo whsec_$(openssl rand -base64 32)"
              .formatted(MIN_BYTES, MAX_BYTES, bytes.length));
    }
    return new SecretKeySpec(bytes, ALGORITHM);
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "what follows whsec_ in a secret must be base64; a secret without whsec_ is taken as it"
              + " is written");
    }
  }
}
