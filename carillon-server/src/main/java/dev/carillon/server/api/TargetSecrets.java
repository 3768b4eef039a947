package dev.carillon.server.api;

import dev.carillon.server.store.StoredTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What messages to a target are signed with: kept unless another is given, and never shown. */
final class TargetSecrets {
  private static final List<String> NAMES = List.of("secret", "secrets");
  private static final Set<String> STAMPS = Set.of("updatedAt", "updatedBy");

  private TargetSecrets() {}

  /**
   * Return {@code given} with the secrets of the target as it is {@code before}, if it says none:
   * null says that there is to be none.
   */
  static Map<String, @Nullable Object> kept(
      Map<String, @Nullable Object> given, Optional<StoredTarget> before) {
    var settings = new LinkedHashMap<>(given);
    if (isSilent(given)) {
      before
          .filter(target -> Objects.equals(target.type(), given.get("type")))
          .map(target -> target.settings().content())
          .ifPresent(old -> NAMES.forEach(name -> keep(old, name, settings)));
    }
    NAMES.forEach(name -> settings.remove(name, null));
    return settings;
  }

  /** Return whether {@code given} says nothing of secrets, so that they stay. */
  static boolean isSilent(Map<String, @Nullable Object> given) {
    return NAMES.stream().noneMatch(given::containsKey);
  }

  private static void keep(
      Map<String, @Nullable Object> old, String name, Map<String, @Nullable Object> settings) {
    Object secret = old.get(name);
    if (secret != null) {
      settings.put(name, secret);
    }
  }

  /** Return what differs between two states of a target, and of hidden fields only that they do. */
  static List<Map<String, @Nullable Object>> changes(
      StoredTarget before,
      Map<String, @Nullable Object> shownBefore,
      StoredTarget after,
      Map<String, @Nullable Object> shownAfter) {
    var names = new LinkedHashSet<>(shownBefore.keySet());
    names.addAll(shownAfter.keySet());
    names.removeAll(STAMPS);
    var changes = new ArrayList<Map<String, @Nullable Object>>();
    for (String name : names) {
      if (!Objects.equals(shownBefore.get(name), shownAfter.get(name))) {
        changes.add(change(name, shownBefore.get(name), shownAfter.get(name)));
      }
    }
    for (String name : List.of("secret", "secrets", "headers")) {
      Object old = before.settings().content().get(name);
      Object fresh = after.settings().content().get(name);
      boolean listed =
          changes.stream().anyMatch(change -> Objects.equals(change.get("field"), name));
      if (!Objects.equals(old, fresh) && !listed && old != null && fresh != null) {
        changes.add(change(name, "(hidden)", "(hidden, another)"));
      }
    }
    return changes;
  }

  private static Map<String, @Nullable Object> change(
      String field, @Nullable Object from, @Nullable Object to) {
    var change = new LinkedHashMap<String, @Nullable Object>();
    change.put("field", field);
    change.put("from", from);
    change.put("to", to);
    return change;
  }
}
