package dev.carillon.time;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes the value of {@code H}: stable for a schedule and a field, even over all keys. */
final class HashTerm {
  private HashTerm() {}

  /** Return a value from 0 to {@code width - 1} for the schedule {@code key}. */
  static int of(String key, CronField cronField, int width) {
    byte[] digest = sha256(key + "\n" + cronField.label);
    long number = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      number = (number << 8) | (digest[i] & 0xff);
    }
    return (int) Long.remainderUnsigned(number, width);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
