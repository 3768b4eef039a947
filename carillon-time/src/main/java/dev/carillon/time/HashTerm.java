package dev.carillon.time;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The number behind {@code H}: stable for a schedule and a field, spread evenly over keys. */
final class HashTerm {
  private HashTerm() {}

  /** Return a value from 0 to {@code width - 1} for the schedule called {@code key}. */
  static int of(String key, Field field, int width) {
    byte[] digest = sha256(key + "\n" + field.label);
    long head = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      head = (head << 8) | (digest[i] & 0xff);
    }
    return (int) Long.remainderUnsigned(head, width);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
