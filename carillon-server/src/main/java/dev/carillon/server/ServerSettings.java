package dev.carillon.server;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How a server is to run.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 picks a free one
 * @param data the folder of the embedded PostgreSQL, unused when a database is given
 * @param database the database to use instead of an embedded one
 */
public record ServerSettings(String host, int port, Path data, Optional<DatabaseUrl> database) {
  private static final String DEFAULT_HOST = "127.0.0.1";
  private static final int DEFAULT_PORT = 8080;
  private static final String DEFAULT_DATA = "carillon-data";

  /**
   * Read settings; each has one name, spelled {@code --database-url} as a flag and {@code
   * CARILLON_DATABASE_URL} in the environment. A flag outweighs the environment.
   *
   * @param flags values by name without dashes, such as {@code database-url}
   * @throws IllegalArgumentException if a value cannot be used; the message names where it came
   *     from
   */
  public static ServerSettings from(Map<String, String> flags, Map<String, String> environment) {
    var settings = new Lookup(flags, environment);
    boolean placeByFlag = flags.containsKey("data") || flags.containsKey("database-url");
    var places = placeByFlag ? new Lookup(flags, Map.of()) : settings;
    Optional<Found> data = places.find("data");
    Optional<Found> url = places.find("database-url");
    if (data.isPresent() && url.isPresent()) {
      throw new IllegalArgumentException(
          "%s and %s exclude each other: the folder is for the embedded PostgreSQL; drop one"
              .formatted(data.get().spelling(), url.get().spelling()));
    }
    return new ServerSettings(
        settings.find("host").map(ServerSettings::host).orElse(DEFAULT_HOST),
        settings.find("port").map(ServerSettings::port).orElse(DEFAULT_PORT),
        data.map(ServerSettings::path).orElse(Path.of(DEFAULT_DATA)),
        url.map(ServerSettings::url)
            .map(
                address ->
                    address.signingIn(
                        settings.find("database-user").map(Found::value),
                        settings.find("database-password").map(Found::value))));
  }

  private static String host(Found found) {
    if (found.value().isBlank()) {
      throw new IllegalArgumentException(found.spelling() + " must be an address of this machine");
    }
    return found.value();
  }

  private static int port(Found found) {
    try {
      int port = Integer.parseInt(found.value());
      if (port >= 0 && port <= 65535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // falls through to the same complaint
    }
    throw new IllegalArgumentException(
        "%s must be a number from 0 (any free port) to 65535; was '%s'"
            .formatted(found.spelling(), found.value().strip()));
  }

  private static Path path(Found found) {
    if (found.value().isBlank() || found.value().chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          found.spelling() + " must be a folder, without control characters in its name");
    }
    try {
      return Path.of(found.value());
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "%s is not a path: %s".formatted(found.spelling(), e.getReason()), e);
    }
  }

  private static DatabaseUrl url(Found found) {
    try {
      return DatabaseUrl.parse(found.value());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(found.spelling(), e.getMessage()), e);
    }
  }

  /** A value and how its name was spelled where it was found. */
  private record Found(String spelling, String value) {}

  private record Lookup(Map<String, String> flags, Map<String, String> environment) {
    Optional<Found> find(String name) {
      String variable = "CARILLON_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
      return Optional.ofNullable(flags.get(name))
          .map(value -> new Found("--" + name, value))
          .or(
              () ->
                  Optional.ofNullable(environment.get(variable))
                      .filter(value -> !value.isBlank())
                      .map(value -> new Found(variable, value)));
    }
  }
}
