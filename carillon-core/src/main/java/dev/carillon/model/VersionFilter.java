package dev.carillon.model;

import java.util.Optional;

/**
 * Which versions of a schedule are wanted.
 *
 * @param key of the schedule with this key
 * @param target with this target only
 * @param below older than this one only
 * @param scope within it only
 */
public record VersionFilter(
    String key, Optional<String> target, Optional<Integer> below, Scope scope) {
  public VersionFilter {
    StorableText.check("target", target);
  }

  /** Want all versions of the schedule called {@code key}. */
  public static VersionFilter of(String key) {
    return new VersionFilter(key, Optional.empty(), Optional.empty(), Scope.ALL);
  }

  /** Want versions that {@code reached} reaches. */
  public VersionFilter within(Scope reached) {
    return new VersionFilter(key, target, below, reached);
  }
}
