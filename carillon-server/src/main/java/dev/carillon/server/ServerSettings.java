package dev.carillon.server;

import dev.carillon.server.log.LogSettings;
import dev.carillon.server.secret.KeyFile;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.server.signin.JwtSettings;
import dev.carillon.server.signin.SignInSettings;
import dev.carillon.server.signin.TlsSettings;
import dev.carillon.server.web.TrustedProxies;
import dev.carillon.targets.SettingsException;
import dev.carillon.targets.guard.AddressGuard;
import dev.carillon.targets.http.ExecutorSettings;
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
 * @param metrics where metrics are served without sign-in; empty for nowhere
 * @param proxies who may say where a request came from
 * @param data the folder of the embedded PostgreSQL and of the admin token
 * @param database the database to use instead of an embedded one
 * @param databaseWait how long to wait at the start for one that is not up yet
 * @param poolSize how many connections to it, at most
 * @param scheduler how the scheduler is to run
 * @param allowedHosts the inside hosts that http targets may call
 * @param executor where workflows are run that no target is defined for
 * @param cipherKeys the keys that secrets of targets are encrypted with, if set
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
    Optional<KeyRing> cipherKeys,
    SignInSettings signIn,
    Optional<TlsSettings> tls,
    LogSettings log) {
  private static final String DEFAULT_HOST = "127.0.0.1";
  private static final int DEFAULT_PORT = 8080;
  private static final String DEFAULT_DATA = "carillon-data";
  private static final int DEFAULT_POOL = 20;
  private static final int MIN_POOL = 8;
  private static final int DEFAULT_FAILURES = 30;
  private static final Duration DEFAULT_WAIT = Duration.ofMinutes(1);
  private static final Duration MAX_WAIT = Duration.ofHours(24);

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
    SettingSources sources = SettingSources.in(flags, environment);
    return new ServerSettings(
        sources.find(Setting.HOST).map(ServerSettings::host).orElse(DEFAULT_HOST),
        port(sources, Setting.PORT).orElse(DEFAULT_PORT),
        metrics(sources),
        sources.read(Setting.TRUSTED_PROXIES, TrustedProxies::parse).orElse(TrustedProxies.NONE),
        sources.path(Setting.DATA, "folder").orElse(Path.of(DEFAULT_DATA)),
        databaseUrl(sources, flags)
            .map(
                address ->
                    address.signingIn(
                        sources.text(Setting.DATABASE_USER),
                        sources.text(Setting.DATABASE_PASSWORD))),
        sources.find(Setting.DATABASE_WAIT).map(ServerSettings::wait).orElse(DEFAULT_WAIT),
        sources.whole(Setting.POOL_SIZE, MIN_POOL, 1_000).orElse(DEFAULT_POOL),
        SchedulerSettings.from(sources),
        sources.read(Setting.ALLOWED_HOSTS, ServerSettings::hosts).orElse(List.of()),
        executor(sources),
        cipherKeys(sources),
        signIn(sources),
        tls(sources),
        log(sources));
  }

  /**
   * Return whether the log is to be JSON, as far as that is known before anything else is read: a
   * program that reads the log as JSON also reads so what is wrong with the settings.
   */
  public static boolean logsJson(Map<String, String> flags, Map<String, String> environment) {
    SettingSources sources;
    try {
      sources = SettingSources.in(flags, environment);
    } catch (IllegalArgumentException e) {
      sources = SettingSources.withoutFile(flags, environment);
    }
    return sources
        .find(Setting.LOG_FORMAT)
        .map(value -> value.value().strip().equalsIgnoreCase(LogSettings.Format.JSON.name()))
        .orElse(false);
  }

  /* A flag for the folder alone means the database in it. */
  private static Optional<DatabaseUrl> databaseUrl(
      SettingSources sources, Map<String, String> flags) {
    boolean folderByFlag = flags.containsKey(Setting.DATA.spelling());
    return (folderByFlag ? sources.flagsOnly() : sources)
        .read(Setting.DATABASE_URL, DatabaseUrl::parse);
  }

  private static Optional<MetricsSettings> metrics(SettingSources sources) {
    Optional<SettingValue> host = sources.find(Setting.METRICS_HOST);
    if (host.isPresent()) {
      needed(sources, Setting.METRICS_PORT, "metrics without a sign-in");
    }
    return port(sources, Setting.METRICS_PORT)
        .map(
            port -> new MetricsSettings(host.map(ServerSettings::host).orElse(DEFAULT_HOST), port));
  }

  private static Optional<Integer> port(SettingSources sources, Setting setting) {
    return sources
        .find(setting)
        .map(value -> value.whole(0, 65535, "a number from 0 (any free port) to 65535"));
  }

  private static Duration wait(SettingValue value) {
    Duration wait = value.duration();
    if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          "%s must be from PT0S to %s; was '%s'"
              .formatted(value.spelling(), MAX_WAIT, value.value().strip()));
    }
    return wait;
  }

  private static String host(SettingValue value) {
    if (value.value().isBlank()) {
      throw new IllegalArgumentException(value.spelling() + " must be an address of this machine");
    }
    return value.value();
  }

  private static List<String> hosts(String list) {
    List<String> hosts = Arrays.stream(list.split(",", -1)).map(String::strip).toList();
    AddressGuard.allowing(hosts);
    return hosts;
  }

  private static Optional<ExecutorSettings> executor(SettingSources sources) {
    Optional<SettingValue> secret = sources.find(Setting.EXECUTOR_SECRET);
    if (!sources.has(Setting.EXECUTOR_URL)) {
      secret.ifPresent(ServerSettings::refuseAlone);
      return Optional.empty();
    }
    SettingValue url = needed(sources, Setting.EXECUTOR_URL, "workflows");
    var settings = new LinkedHashMap<String, Object>();
    settings.put("url", url.value().strip());
    secret.ifPresent(value -> settings.put("secret", value.value().strip()));
    settings.put(
        "completion",
        sources
            .word(Setting.EXECUTOR_COMPLETION, ExecutorSettings.Completion.class)
            .orElse(ExecutorSettings.Completion.ACCEPTED)
            .word());
    try {
      return Optional.of(ExecutorSettings.parse(settings));
    } catch (SettingsException e) {
      SettingsException.Fault fault = e.faults().get(0);
      String spelling =
          secret
              .filter(value -> fault.pointer().equals("/secret"))
              .map(SettingValue::spelling)
              .orElse(url.spelling());
      throw new IllegalArgumentException("%s: %s".formatted(spelling, fault.message()), e);
    }
  }

  private static void refuseAlone(SettingValue secret) {
    throw new IllegalArgumentException(
        "%s needs %s (or %s)"
            .formatted(
                secret.spelling(), Setting.EXECUTOR_URL.flag(), Setting.EXECUTOR_URL.variable()));
  }

  private static Optional<KeyRing> cipherKeys(SettingSources sources) {
    Optional<SettingValue> keys = sources.find(Setting.SECRET_KEY);
    Optional<SettingValue> file = sources.find(Setting.SECRET_KEY_FILE);
    if (keys.isPresent() && file.isPresent()) {
      throw new IllegalArgumentException(
          "%s and %s exclude each other; drop one"
              .formatted(keys.get().spelling(), file.get().spelling()));
    }
    return keys.map(value -> value.read(KeyRing::parse))
        .or(() -> file.map(value -> value.read(name -> new KeyFile(value.path("file")).read())));
  }

  private static SignInSettings signIn(SettingSources sources) {
    return new SignInSettings(
        sources.read(Setting.ADMIN_TOKEN, SignInSettings::checkedToken),
        sources.whole(Setting.SIGN_IN_FAILURES, 1, 1_000_000).orElse(DEFAULT_FAILURES),
        jwt(sources));
  }

  private static Optional<JwtSettings> jwt(SettingSources sources) {
    Optional<SettingValue> url = sources.find(Setting.JWT_JWKS_URL);
    Optional<SettingValue> file = sources.find(Setting.JWT_KEY_FILE);
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
            url.map(value -> value.read(JwtSettings::checkedUrl)),
            file.map(value -> value.path("file")),
            needed(sources, Setting.JWT_ISSUER, "JWTs").value(),
            needed(sources, Setting.JWT_AUDIENCE, "JWTs").value(),
            sources
                .read(Setting.JWT_ALGORITHMS, JwtSettings::checkedAlgorithms)
                .orElse(JwtSettings.DEFAULT_ALGORITHMS),
            sources.text(Setting.JWT_ROLE_CLAIM).orElse("role"),
            sources.text(Setting.JWT_NAME_CLAIM).orElse("sub")));
  }

  private static Optional<TlsSettings> tls(SettingSources sources) {
    if (!sources.has(Setting.TLS_CERTIFICATE) && !sources.has(Setting.TLS_KEY)) {
      if (sources.has(Setting.TLS_CLIENT_CA)) {
        needed(sources, Setting.TLS_CERTIFICATE, "client certificates");
      }
      return Optional.empty();
    }
    return Optional.of(
        new TlsSettings(
            needed(sources, Setting.TLS_CERTIFICATE, "HTTPS").path("file"),
            needed(sources, Setting.TLS_KEY, "HTTPS").path("file"),
            sources.path(Setting.TLS_CLIENT_CA, "file"),
            sources.read(Setting.TLS_CLIENT_ROLES, TlsSettings::checkedRoles).orElse(Map.of()),
            sources.flag(Setting.TLS_CLIENT_REQUIRED)));
  }

  private static LogSettings log(SettingSources sources) {
    return new LogSettings(
        sources.word(Setting.LOG_FORMAT, LogSettings.Format.class).orElse(LogSettings.Format.TEXT),
        sources.word(Setting.LOG_LEVEL, Level.class),
        sources.flag(Setting.REQUEST_LOG));
  }

  private static SettingValue needed(SettingSources sources, Setting setting, String by) {
    return sources
        .find(setting)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s need %s (or %s)".formatted(by, setting.flag(), setting.variable())));
  }
}
