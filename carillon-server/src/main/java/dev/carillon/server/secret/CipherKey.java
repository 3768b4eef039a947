package dev.carillon.server.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of AES-256 with a name. What it seals is bound to a place and can be opened for that place
 * only, so that nothing sealed can be moved elsewhere.
 */
public final class CipherKey {
  private static final SecureRandom CHANCE = new SecureRandom();
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int ID_BYTES = 4;
  private static final int MAX_ID = 40;

  private final String id;
  private final SecretKeySpec key;

  private CipherKey(String id, byte[] key) {
    this.id = id;
    this.key = new SecretKeySpec(key, "AES");
  }

  /** Make a key that cannot be guessed, under an id that no other has. */
  public static CipherKey generate() {
    return new CipherKey("k" + HexFormat.of().formatHex(random(ID_BYTES)), random(KEY_BYTES));
  }

  /**
   * Read {@code id:base64}.
   *
   * @throws IllegalArgumentException if it is no key; the message does not repeat it
   */
  static CipherKey parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0 || !isId(text.substring(0, colon))) {
      throw new IllegalArgumentException(
          "a key is written as id:base64, its id with up to %s letters, digits, dots, dashes and underscores; 'carillon secret new-key' makes one"
              .formatted(MAX_ID));
    }
    String id = text.substring(0, colon);
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text.substring(colon + 1).strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("key %s is not in base64".formatted(id));
    }
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "key %s must have %s bytes; it has %s".formatted(id, KEY_BYTES, key.length));
    }
    return new CipherKey(id, key);
  }

  private static boolean isId(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_ID
        && text.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || c == '.'
                        || c == '-'
                        || c == '_');
  }

  /** Return its name, which is no secret. */
  public String id() {
    return id;
  }

  /** Return it as {@code id:base64}, the key included. */
  public String line() {
    return id + ":" + Base64.getEncoder().encodeToString(key.getEncoded());
  }

  /** Encrypt {@code text} for {@code place}: a new nonce each time, then the ciphertext. */
  public byte[] seal(String text, String place) {
    byte[] nonce = random(NONCE_BYTES);
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, nonce, place).doFinal(text.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot encrypt with " + CIPHER, e);
    }
  }

  /** Decrypt what was sealed for {@code place}; empty if it was not, or not with this key. */
  public Optional<String> open(byte[] sealed, String place) {
    if (sealed.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
      return Optional.empty();
    }
    byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
    try {
      byte[] text =
          cipher(Cipher.DECRYPT_MODE, nonce, place)
              .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
      return Optional.of(new String(text, StandardCharsets.UTF_8));
    } catch (AEADBadTagException e) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot decrypt with " + CIPHER, e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, String place) throws GeneralSecurityException {
    var cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(String.join("\0", "carillon", id, place).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private static byte[] random(int length) {
    var bytes = new byte[length];
    CHANCE.nextBytes(bytes);
    return bytes;
  }

  @Override
  public String toString() {
    return "key " + id;
  }
}
