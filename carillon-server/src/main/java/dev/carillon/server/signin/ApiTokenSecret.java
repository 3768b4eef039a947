package dev.carillon.server.signin;

import dev.carillon.server.web.Sha256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** API tokens: how they are made, and what is kept of them instead. */
public final class ApiTokenSecret {
  /** How every API token begins, so that one that leaked can be recognised. */
  public static final String PREFIX = "crl_";

  private static final SecureRandom CHANCE = new SecureRandom();
  private static final int BYTES = 32;

  private ApiTokenSecret() {}

  /** Make a token that cannot be guessed. */
  public static String generate() {
    var bytes = new byte[BYTES];
    CHANCE.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Return the SHA-256 of {@code token}: enough for one that has 32 random bytes. */
  public static byte[] hash(String token) {
    return Sha256.of(token);
  }

  static String fingerprint(String token) {
    return HexFormat.of().formatHex(hash(token));
  }

  /**
   * Return whether two hashes are the same, in a time that does not depend on where they differ.
   */
  static boolean same(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }
}
