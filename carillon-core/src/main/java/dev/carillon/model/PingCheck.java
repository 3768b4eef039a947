package dev.carillon.model;

import dev.carillon.policy.PingExpectation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Work that runs elsewhere and pings, and what is known of it.
 *
 * @param key its name
 * @param expect when it is expected to succeed
 * @param escalateTo the target that runs once when it is down; empty for none
 * @param description what it is for, in words
 * @param tags words to find it by
 * @param created when and by whom
 * @param updated when and by whom it was last defined
 * @param lastStart when it last began
 * @param lastSuccess when it last succeeded
 * @param lastFail when it last failed
 * @param downSince when it was found to have failed, or not to have succeeded in time
 */
public record PingCheck(
    String key,
    PingExpectation expect,
    Optional<String> escalateTo,
    String description,
    List<String> tags,
    ChangedBy created,
    ChangedBy updated,
    Optional<Instant> lastStart,
    Optional<Instant> lastSuccess,
    Optional<Instant> lastFail,
    Optional<Instant> downSince) {
  public PingCheck {
    tags = List.copyOf(tags);
  }

  /** How it stands. */
  public enum Status {
    /** It has not pinged. */
    NEW,
    /** It succeeded in time. */
    UP,
    /** It failed, or did not succeed in time. */
    DOWN
  }

  /** Return how it stands. */
  public Status status() {
    if (toldDownSince().isPresent() || hasFailed()) {
      return Status.DOWN;
    }
    return lastSuccess.isPresent() ? Status.UP : Status.NEW;
  }

  /** Return since when it was told to be down; empty if it was not since its last success. */
  public Optional<Instant> toldDownSince() {
    return downSince.filter(at -> lastSuccess.filter(at::isBefore).isEmpty());
  }

  /** Return the last end that a ping of {@code kind} overrules. */
  public Optional<Instant> overruledBy(Ping.Kind kind) {
    return switch (kind) {
      case START -> Optional.empty();
      case SUCCESS -> lastFail;
      case FAIL -> lastSuccess;
    };
  }

  /** Tell whether its last end was a failure. */
  public boolean hasFailed() {
    return lastFail.filter(fail -> lastSuccess.filter(fail::isBefore).isEmpty()).isPresent();
  }

  /** Return from when its silence counts: its last success, or its definition if that is later. */
  public Instant since() {
    return lastSuccess.filter(updated.at()::isBefore).orElse(updated.at());
  }

  /** Return when it is down unless it succeeds; empty if that is never. */
  public Optional<Instant> overdueAt() {
    return expect.overdueAt(since());
  }

  /** Tell whether it is down at {@code now}. */
  public boolean isDown(Instant now) {
    return hasFailed() || overdueAt().filter(at -> !now.isBefore(at)).isPresent();
  }
}
