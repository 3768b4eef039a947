package dev.carillon.engine.remote;

import dev.carillon.store.claim.OwnedRun;
import dev.carillon.store.run.Owner;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** The secret that a worker is given with a run; the database has only its hash. */
final class LeaseFence {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;
  private static final int NAME_BASED = 3;

  private LeaseFence() {}

  /** Return a fence that nobody can guess. */
  static String generate() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Return what is stored of {@code fence}. */
  static String hash(String fence) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(fence.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Tell whether {@code fence} came with the lease by which {@code ownedRun} is held. */
  static boolean proves(String fence, OwnedRun ownedRun) {
    return ownedRun.owner().filter(Owner::isLeased).isPresent()
        && (ownedRun.fenceHash().isPresent()
            ? isEqual(hash(fence), ownedRun.fenceHash().get())
            : isLegacy(fence, ownedRun));
  }

  /* A version before this one gave the worker's id, which follows from its name; ids of nodes, whose
   * runs are on lease while their target is asked, do not. */
  private static boolean isLegacy(String fence, OwnedRun ownedRun) {
    return ownedRun
        .owner()
        .filter(owner -> owner.id().version() == NAME_BASED)
        .filter(owner -> isEqual(fence, owner.id().toString()))
        .isPresent();
  }

  private static boolean isEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
