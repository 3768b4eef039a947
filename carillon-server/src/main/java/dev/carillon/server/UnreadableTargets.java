package dev.carillon.server;

import dev.carillon.model.Failure;
import dev.carillon.server.store.StoredTarget;
import java.util.List;

/** What is said of targets whose settings are sealed with a key that this server lacks. */
final class UnreadableTargets {
  private static final int MAX_NAMED = 10;

  private UnreadableTargets() {}

  /** Return why runs of {@code target} fail. */
  static Failure failure(StoredTarget target) {
    return Failure.of("secret_key_unknown", reason(target));
  }

  static String reason(StoredTarget target) {
    return "its settings are encrypted with key %s, which this server does not have; add it to %s (or %s) and start again, or define the target anew"
        .formatted(
            target.keyId().orElse(""),
            Setting.SECRET_KEY_FILE.spelling(),
            Setting.SECRET_KEY.variable());
  }

  /** Return a reason against the health of this server; none if {@code targets} is empty. */
  static List<String> problems(List<StoredTarget> targets) {
    if (targets.isEmpty()) {
      return List.of();
    }
    List<String> named =
        targets.stream()
            .limit(MAX_NAMED)
            .map(target -> "%s (key %s)".formatted(target.label(), target.keyId().orElse("")))
            .toList();
    String more =
        targets.size() > MAX_NAMED ? " and %s more".formatted(targets.size() - MAX_NAMED) : "";
    return List.of(
        "the runs of targets fail here whose secrets are encrypted with a key that this server does not have: %s%s"
            .formatted(String.join(", ", named), more));
  }
}
