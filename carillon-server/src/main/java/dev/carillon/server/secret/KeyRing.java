package dev.carillon.server.secret;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The keys that a server knows: the first seals, all open. There may be none. */
public final class KeyRing {
  /** No key: nothing can be sealed or opened. */
  public static final KeyRing EMPTY = new KeyRing(List.of());

  private static final int MAX_KEYS = 100;

  private final List<CipherKey> keys;

  private KeyRing(List<CipherKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /** Return a ring of one key. */
  public static KeyRing of(CipherKey key) {
    return new KeyRing(List.of(key));
  }

  /**
   * Read keys written as {@code id:base64}, one per line or parted by blanks or commas; what
   * follows a {@code #} in a line is a comment.
   *
   * @throws IllegalArgumentException if that is no list of keys; the message repeats none
   */
  public static KeyRing parse(String text) {
    var keys = new ArrayList<CipherKey>();
    for (String line : text.split("\n", -1)) {
      int comment = line.indexOf('#');
      for (String word :
          (comment < 0 ? line : line.substring(0, comment)).replace(',', ' ').split("\\s", -1)) {
        if (!word.isEmpty()) {
          keys.add(CipherKey.parse(word));
        }
      }
    }
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          "name 1 to %s keys, each as id:base64; 'carillon secret new-key' makes one"
              .formatted(MAX_KEYS));
    }
    var ring = new KeyRing(keys);
    keys.forEach(ring::refuseTwice);
    return ring;
  }

  private void refuseTwice(CipherKey key) {
    if (keys.stream().filter(other -> other.id().equals(key.id())).count() > 1) {
      throw new IllegalArgumentException("key %s is named twice; drop one".formatted(key.id()));
    }
  }

  /** Return the key that seals, if there is any. */
  public Optional<CipherKey> current() {
    return keys.stream().findFirst();
  }

  /** Return all keys, the one that seals first. */
  public List<CipherKey> keys() {
    return keys;
  }

  /** Find a key by its id. */
  public Optional<CipherKey> find(String id) {
    return keys.stream().filter(key -> key.id().equals(id)).findFirst();
  }

  @Override
  public String toString() {
    return "keys " + keys.stream().map(CipherKey::id).toList();
  }
}
