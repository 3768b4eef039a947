package dev.carillon.server;

import dev.carillon.server.read.ContractText;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where settings are found: a flag outweighs the environment, which outweighs the file. */
final class SettingSources {
  /* What other schedulers' deployments set, in milliseconds or words of their own. */
  private static final Map<Setting, String> OTHERS =
      Map.of(
          Setting.POLL, "TICK_MS",
          Setting.LOOKAHEAD, "LOOKAHEAD_MS",
          Setting.CATCH_UP_PER_TICK, "MAX_CATCHUP_PER_TICK",
          Setting.DEFAULT_OVERLAP, "DEFAULT_OVERLAP_POLICY",
          Setting.DEFAULT_CATCH_UP, "DEFAULT_CATCHUP_POLICY",
          Setting.DEFAULT_JITTER, "DEFAULT_JITTER_MS");

  private final Map<String, String> flags;
  private final Map<String, String> environment;
  private final Map<String, String> file;

  private SettingSources(
      Map<String, String> flags, Map<String, String> environment, Map<String, String> file) {
    this.flags = flags;
    this.environment = environment;
    this.file = file;
  }

  /** Look in all three places; the first two may name the file. */
  static SettingSources in(Map<String, String> flags, Map<String, String> environment) {
    var named = new SettingSources(flags, environment, Map.of());
    return new SettingSources(
        flags, environment, named.find(Setting.CONFIG).map(SettingSources::read).orElse(Map.of()));
  }

  static SettingSources withoutFile(Map<String, String> flags, Map<String, String> environment) {
    return new SettingSources(flags, environment, Map.of());
  }

  SettingSources flagsOnly() {
    return new SettingSources(flags, Map.of(), Map.of());
  }

  boolean has(Setting setting) {
    return find(setting).isPresent();
  }

  Optional<SettingValue> find(Setting setting) {
    return found(setting.flag(), flags.get(setting.spelling()))
        .or(() -> found(setting.variable(), blankAsNone(environment.get(setting.variable()))))
        .or(() -> found(setting.spelling(), file.get(setting.spelling())))
        .or(() -> byOtherName(setting));
  }

  /** Return what {@code reader} makes of a setting. */
  <T> Optional<T> read(Setting setting, Function<String, T> reader) {
    return find(setting).map(value -> value.read(reader));
  }

  Optional<String> text(Setting setting) {
    return find(setting).map(SettingValue::value);
  }

  <E extends Enum<E>> Optional<E> word(Setting setting, Class<E> type) {
    return read(setting, word -> ContractText.word(type, word));
  }

  Optional<Integer> whole(Setting setting, int least, int most) {
    return find(setting)
        .map(value -> value.whole(least, most, "a number from %s to %s".formatted(least, most)));
  }

  boolean flag(Setting setting) {
    return find(setting).map(SettingValue::flag).orElse(false);
  }

  Optional<Path> path(Setting setting, String what) {
    return find(setting).map(value -> value.path(what));
  }

  private Optional<SettingValue> byOtherName(Setting setting) {
    String name = OTHERS.get(setting);
    if (name == null) {
      return Optional.empty();
    }
    Optional<SettingValue> found = found(name, blankAsNone(environment.get(name)));
    return name.endsWith("_MS")
        ? found.map(
            millis ->
                new SettingValue(
                    name, millis.whole(0, Integer.MAX_VALUE, "a number of milliseconds") + "ms"))
        : found;
  }

  private static Optional<SettingValue> found(String spelling, @Nullable String value) {
    return Optional.ofNullable(value).map(text -> new SettingValue(spelling, text));
  }

  private static @Nullable String blankAsNone(@Nullable String value) {
    return value == null || value.isBlank() ? null : value;
  }

  private static Map<String, String> read(SettingValue named) {
    Path path = named.path("file");
    var properties = new Properties();
    try (Reader reader = Files.newBufferedReader(path)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new IllegalArgumentException("%s: cannot read %s".formatted(named.spelling(), path), e);
    }
    var settings = new TreeMap<String, String>();
    for (String name : properties.stringPropertyNames()) {
      try {
        Setting.named(name);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("%s: %s".formatted(path, e.getMessage()), e);
      }
      settings.put(name, properties.getProperty(name));
    }
    return settings;
  }
}
