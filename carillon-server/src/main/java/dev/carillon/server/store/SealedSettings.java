package dev.carillon.server.store;

import dev.carillon.json.Json;
import dev.carillon.server.secret.CipherKey;
import dev.carillon.server.secret.KeyRing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a target as they are stored: what may hold a secret is sealed for the label.
 *
 * @param plain what is not sealed, as JSON
 * @param sealed the rest; absent if nothing is sealed
 * @param keyId the id of the key that sealed it
 */
record SealedSettings(String plain, Optional<byte[]> sealed, Optional<String> keyId) {
  /* All others are sealed, also those of a later version. */
  private static final Set<String> PLAIN =
      Set.of(
          "type", "method", "timeout", "reportTimeout", "completion", "maxConcurrent", "template");

  /**
   * Seal {@code settings} with the current key of {@code keys}; without one they stay as they are.
   */
  static SealedSettings of(String label, TargetSettings settings, KeyRing keys) {
    var plain = new LinkedHashMap<String, @Nullable Object>();
    var hidden = new LinkedHashMap<String, @Nullable Object>();
    settings
        .content()
        .forEach((name, value) -> (PLAIN.contains(name) ? plain : hidden).put(name, value));
    Optional<CipherKey> key = keys.current();
    if (key.isEmpty() || hidden.isEmpty()) {
      return new SealedSettings(settings.json(), Optional.empty(), Optional.empty());
    }
    return new SealedSettings(
        Json.write(plain),
        Optional.of(key.get().seal(Json.write(hidden), place(label))),
        Optional.of(key.get().id()));
  }

  /** Return the settings; empty if they are sealed with a key that is not in {@code keys}. */
  Optional<TargetSettings> open(String label, KeyRing keys) {
    if (sealed.isEmpty()) {
      return Optional.of(TargetSettings.stored(plain));
    }
    return keyId
        .flatMap(keys::find)
        .flatMap(key -> key.open(sealed.get(), place(label)))
        .map(
            hidden -> {
              Map<String, @Nullable Object> all = new LinkedHashMap<>(Json.readObject(plain));
              all.putAll(Json.readObject(hidden));
              return TargetSettings.stored(Json.write(all));
            });
  }

  /** Return whether {@code settings} hold something that must not be stored in the clear. */
  static boolean isSecret(TargetSettings settings) {
    Map<String, @Nullable Object> content = settings.content();
    return content.get("secret") != null
        || content.get("secrets") != null
        || (content.get("headers") instanceof Map<?, ?> headers && !headers.isEmpty())
        || hasCredentials(content.get("url"))
        || hasCredentials(content.get("statusUrl"));
  }

  private static boolean hasCredentials(@Nullable Object url) {
    return url instanceof String text && (text.indexOf('?') >= 0 || text.indexOf('@') >= 0);
  }

  private static String place(String label) {
    return "target settings of " + label;
  }
}
