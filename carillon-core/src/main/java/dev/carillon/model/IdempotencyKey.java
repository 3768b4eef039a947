package dev.carillon.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Derives the key that is the same for every attempt of a run and for no other run. */
public final class IdempotencyKey {
  private IdempotencyKey() {}

  /**
   * Return {@code hex(sha256(key + ":" + epochSeconds(slot)))} for the run of a slot; a manual or
   * ad-hoc run, of which one second can have many, is named by its id instead.
   */
  public static String of(RunId id, Optional<String> schedule) {
    return id.ordinal() == 0 && schedule.isPresent()
        ? sha256(schedule.get() + ":" + id.slot().getEpochSecond())
        : sha256(id.toString());
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }
}
