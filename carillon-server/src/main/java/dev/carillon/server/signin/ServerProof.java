package dev.carillon.server.signin;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Shows a program on this machine that who answers at a URL is the server that wrote {@code
 * server.json}, and not another process that took its port.
 *
 * <p>The answer to a nonce also covers the URL, so that the answer of a server elsewhere is of no
 * use here.
 *
 * @param secret made at each start of a server, and known to who can read its data folder
 * @param url where the server is found
 */
public record ServerProof(String secret, String url) {
  private static final SecureRandom CHANCE = new SecureRandom();
  private static final int BYTES = 32;
  private static final String PURPOSE = "carillon server proof";

  /** Make the proof of a server that starts at {@code url}. */
  public static ServerProof generate(String url) {
    return new ServerProof(nonce(), url);
  }

  /** Return a text that was never asked before. */
  public static String nonce() {
    var bytes = new byte[BYTES];
    CHANCE.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Return what only this server answers to {@code nonce}. */
  public String answer(String nonce) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(mac(nonce));
  }

  /** Return whether {@code answer} is that of the server to {@code nonce}. */
  public boolean accepts(String nonce, String answer) {
    return MessageDigest.isEqual(
        answer(nonce).getBytes(StandardCharsets.UTF_8), answer.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] mac(String nonce) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac.doFinal(String.join("\n", PURPOSE, url, nonce).getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has HmacSHA256", e);
    }
  }

  @Override
  public String toString() {
    return "proof of the server at " + url;
  }
}
