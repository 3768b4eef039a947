package dev.carillon.server;

import dev.carillon.server.log.LogSettings;
import dev.carillon.server.read.Texts;
import dev.carillon.server.signin.JwtSettings;
import dev.carillon.server.signin.SignInSettings;
import dev.carillon.server.signin.TlsSettings;
import dev.carillon.server.web.TrustedProxies;
import dev.carillon.targets.AddressGuard;
import dev.carillon.targets.ExecutorSettings;
import dev.carillon.targets.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * How a server is to run.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 picks a free one
 * @param metrics where figures are told without a sign-in; empty for nowhere
 * @param proxies who may say where a request came from
 * @param data the folder of the embedded PostgreSQL and of the admin token
 * @param database the database to use instead of an embedded one
 * @param databaseWait how long to wait at the start for one that is not up yet
 * @param poolSize how many connections to it, at most
 * @param scheduler how the scheduler is to run
 * @param allowedHosts the inside hosts that http targets may call
 * @param executor where workflows are run that no target is defined for
 * @param signIn who may do what
 * @param tls how connections are secured; empty for plain HTTP
 * @param log how the log is written
 */
public record ServerSettings(
    String host,
    int port,
    Optional<MetricsSettings> metrics,
    TrustedProxies proxies,
    Path data,
    Optional<DatabaseUrl> database,
    Duration databaseWait,
    int poolSize,
    SchedulerSettings scheduler,
    List<String> allowedHosts,
    Optional<ExecutorSettings> executor,
    SignInSettings signIn,
    Optional<TlsSettings> tls,
    LogSettings log) {
  private static final String DEFAULT_HOST = "127.0.0.1";
  private static final int DEFAULT_PORT = 8080;
  private static final String DEFAULT_DATA = "carillon-data";
  private static final int DEFAULT_POOL = 20;
  private static final int SMALLEST_POOL = 8;
  private static final int DEFAULT_FAILURES = 30;
  private static final Duration DEFAULT_WAIT = Duration.ofMinutes(1);
  private static final Duration LONGEST_WAIT = Duration.ofHours(24);

  /**
   * Read settings; each has one name, spelled {@code --database-url} as a flag, {@code
   * CARILLON_DATABASE_URL} in the environment and {@code database-url} in a file. A flag outweighs
   * the environment, which outweighs the file.
   *
   * @param flags values by name without dashes, such as {@code database-url}
   * @throws IllegalArgumentException if a value cannot be used; the message names where it came
   *     from
   */
  public static ServerSettings from(Map<String, String> flags, Map<String, String> environment) {
    Lookup lookup = Lookup.in(flags, environment);
    Optional<Found> data = lookup.find(Setting.DATA);
    Optional<Found> url = databaseUrl(lookup, flags);
    return new ServerSettings(
        lookup.find(Setting.HOST).map(ServerSettings::host).orElse(DEFAULT_HOST),
        lookup
            .find(Setting.PORT)
            .map(found -> found.whole(0, 65535, "a number from 0 (any free port) to 65535"))
            .orElse(DEFAULT_PORT),
        metrics(lookup),
        lookup
            .find(Setting.TRUSTED_PROXIES)
            .map(found -> found.read(TrustedProxies::parse))
            .orElse(TrustedProxies.NONE),
        data.map(found -> found.path("folder")).orElse(Path.of(DEFAULT_DATA)),
        url.map(found -> found.read(DatabaseUrl::parse))
            .map(
                address ->
                    address.signingIn(
                        lookup.find(Setting.DATABASE_USER).map(Found::value),
                        lookup.find(Setting.DATABASE_PASSWORD).map(Found::value))),
        lookup.find(Setting.DATABASE_WAIT).map(ServerSettings::wait).orElse(DEFAULT_WAIT),
        lookup
            .find(Setting.POOL_SIZE)
            .map(found -> found.whole(SMALLEST_POOL, 1_000, "a number from 8 to 1000"))
            .orElse(DEFAULT_POOL),
        SchedulerSettings.from(lookup),
        lookup.find(Setting.ALLOWED_HOSTS).map(ServerSettings::hosts).orElse(List.of()),
        executor(lookup),
        signIn(lookup),
        tls(lookup),
        log(lookup));
  }

  /**
   * Tell whether the log is to be JSON, as far as that can be told before anything else is read:
   * whoever reads it as JSON also wants to read so what is wrong with the settings.
   */
  public static boolean logsJson(Map<String, String> flags, Map<String, String> environment) {
    Lookup lookup;
    try {
      lookup = Lookup.in(flags, environment);
    } catch (IllegalArgumentException e) {
      lookup = Lookup.withoutFile(flags, environment);
    }
    return lookup
        .find(Setting.LOG_FORMAT)
        .map(found -> found.value().strip().equalsIgnoreCase(LogSettings.Format.JSON.name()))
        .orElse(false);
  }

  /* A flag for the folder alone means the database in it. */
  private static Optional<Found> databaseUrl(Lookup lookup, Map<String, String> flags) {
    boolean folderByFlag = flags.containsKey(Setting.DATA.spelling());
    return (folderByFlag ? lookup.flagsOnly() : lookup).find(Setting.DATABASE_URL);
  }

  private static Optional<MetricsSettings> metrics(Lookup lookup) {
    Optional<Found> host = lookup.find(Setting.METRICS_HOST);
    if (host.isPresent()) {
      needed(lookup, Setting.METRICS_PORT, "metrics without a sign-in");
    }
    return lookup
        .find(Setting.METRICS_PORT)
        .map(found -> found.whole(0, 65535, "a number from 0 (any free port) to 65535"))
        .map(
            port -> new MetricsSettings(host.map(ServerSettings::host).orElse(DEFAULT_HOST), port));
  }

  private static Duration wait(Found found) {
    Duration wait = found.duration();
    if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "%s must be from PT0S to %s; was '%s'"
              .formatted(found.spelling(), LONGEST_WAIT, found.value().strip()));
    }
    return wait;
  }

  private static String host(Found found) {
    if (found.value().isBlank()) {
      throw new IllegalArgumentException(found.spelling() + " must be an address of this machine");
    }
    return found.value();
  }

  private static List<String> hosts(Found found) {
    return found.read(
        list -> {
          List<String> hosts = Arrays.stream(list.split(",", -1)).map(String::strip).toList();
          AddressGuard.allowing(hosts);
          return hosts;
        });
  }

  private static Optional<ExecutorSettings> executor(Lookup lookup) {
    Optional<Found> secret = lookup.find(Setting.EXECUTOR_SECRET);
    if (!lookup.has(Setting.EXECUTOR_URL)) {
      secret.ifPresent(ServerSettings::refuseAlone);
      return Optional.empty();
    }
    Found url = needed(lookup, Setting.EXECUTOR_URL, "workflows");
    var settings = new LinkedHashMap<String, Object>();
    settings.put("url", url.value().strip());
    secret.ifPresent(found -> settings.put("secret", found.value().strip()));
    settings.put(
        "completion",
        lookup
            .find(Setting.EXECUTOR_COMPLETION)
            .map(found -> found.read(word -> Texts.word(ExecutorSettings.Completion.class, word)))
            .orElse(ExecutorSettings.Completion.ACCEPTED)
            .word());
    try {
      return Optional.of(ExecutorSettings.parse(settings));
    } catch (SettingsException e) {
      SettingsException.Fault fault = e.faults().get(0);
      String spelling =
          secret
              .filter(found -> fault.pointer().equals("/secret"))
              .map(Found::spelling)
              .orElse(url.spelling());
      throw new IllegalArgumentException("%s: %s".formatted(spelling, fault.message()), e);
    }
  }

  private static void refuseAlone(Found secret) {
    throw new IllegalArgumentException(
        "%s needs %s (or %s)"
            .formatted(
                secret.spelling(), Setting.EXECUTOR_URL.flag(), Setting.EXECUTOR_URL.variable()));
  }

  private static SignInSettings signIn(Lookup lookup) {
    return new SignInSettings(
        lookup.find(Setting.ADMIN_TOKEN).map(found -> found.read(SignInSettings::checkedToken)),
        lookup
            .find(Setting.SIGN_IN_FAILURES)
            .map(found -> found.whole(1, 1_000_000, "a number from 1 to 1000000"))
            .orElse(DEFAULT_FAILURES),
        jwt(lookup));
  }

  private static Optional<JwtSettings> jwt(Lookup lookup) {
    Optional<Found> url = lookup.find(Setting.JWT_JWKS_URL);
    Optional<Found> file = lookup.find(Setting.JWT_KEY_FILE);
    if (url.isEmpty() && file.isEmpty()) {
      return Optional.empty();
    }
    if (url.isPresent() && file.isPresent()) {
      throw new IllegalArgumentException(
          "%s and %s exclude each other; drop one"
              .formatted(url.get().spelling(), file.get().spelling()));
    }
    return Optional.of(
        new JwtSettings(
            url.map(found -> found.read(JwtSettings::checkedUrl)),
            file.map(found -> found.path("file")),
            needed(lookup, Setting.JWT_ISSUER, "JWTs").value(),
            needed(lookup, Setting.JWT_AUDIENCE, "JWTs").value(),
            lookup
                .find(Setting.JWT_ALGORITHMS)
                .map(found -> found.read(JwtSettings::checkedAlgorithms))
                .orElse(JwtSettings.USUAL_ALGORITHMS),
            lookup.find(Setting.JWT_ROLE_CLAIM).map(Found::value).orElse("role"),
            lookup.find(Setting.JWT_NAME_CLAIM).map(Found::value).orElse("sub")));
  }

  private static Optional<TlsSettings> tls(Lookup lookup) {
    if (!lookup.has(Setting.TLS_CERTIFICATE) && !lookup.has(Setting.TLS_KEY)) {
      if (lookup.has(Setting.TLS_CLIENT_CA)) {
        needed(lookup, Setting.TLS_CERTIFICATE, "client certificates");
      }
      return Optional.empty();
    }
    return Optional.of(
        new TlsSettings(
            needed(lookup, Setting.TLS_CERTIFICATE, "HTTPS").path("file"),
            needed(lookup, Setting.TLS_KEY, "HTTPS").path("file"),
            lookup.find(Setting.TLS_CLIENT_CA).map(found -> found.path("file")),
            lookup
                .find(Setting.TLS_CLIENT_ROLES)
                .map(found -> found.read(TlsSettings::checkedRoles))
                .orElse(Map.of()),
            lookup.find(Setting.TLS_CLIENT_REQUIRED).map(Found::flag).orElse(false)));
  }

  private static LogSettings log(Lookup lookup) {
    return new LogSettings(
        lookup
            .find(Setting.LOG_FORMAT)
            .map(found -> found.read(word -> Texts.word(LogSettings.Format.class, word)))
            .orElse(LogSettings.Format.TEXT),
        lookup
            .find(Setting.LOG_LEVEL)
            .map(found -> found.read(word -> Texts.word(Level.class, word))),
        lookup.find(Setting.REQUEST_LOG).map(Found::flag).orElse(false));
  }

  private static Found needed(Lookup lookup, Setting setting, String by) {
    return lookup
        .find(setting)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s need %s (or %s)".formatted(by, setting.flag(), setting.variable())));
  }
}
