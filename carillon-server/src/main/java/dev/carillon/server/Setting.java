package dev.carillon.server;

import dev.carillon.time.ClosestMatch;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The settings of a server. Each has one name in three spellings: {@code database-url} in a file,
 * {@code CARILLON_DATABASE_URL} in the environment, {@code --database-url} as a flag.
 */
public enum Setting {
  CONFIG("FILE", "File with settings, one name = value per line."),
  HOST("ADDRESS", "Address to listen on (default: 127.0.0.1, this machine only)."),
  PORT("PORT", "Port to listen on (default: 8080; 0 takes any free one)."),
  METRICS_HOST(
      "ADDRESS", "Address of the listener for metrics alone (default: 127.0.0.1, this machine)."),
  METRICS_PORT("PORT", "Tell /metrics, /healthz and /readyz without a sign-in on this port, too."),
  TRUSTED_PROXIES(
      "LIST", "Proxies that may say where a request came from, such as 10.0.0.0/8,192.0.2.7."),
  DATA(
      "FOLDER",
      "Folder of the embedded PostgreSQL and of the admin token (default: ./carillon-data)."),
  DATABASE_URL(
      "URL",
      "Use this PostgreSQL instead; as postgresql://user:password@host/database, or for JDBC."),
  DATABASE_USER("NAME", "User for the database, if the URL names none."),
  DATABASE_PASSWORD("TEXT", "Password for the database, if the URL has none."),
  DATABASE_WAIT(
      "DURATION", "Wait this long at the start for a database that is not up yet (default: PT1M)."),
  POOL_SIZE("COUNT", "Connections to the database, at most (default: 20)."),
  NODE_NAME("NAME", "Name of this node for people (default: host and process)."),
  LOOKAHEAD("DURATION", "Write runs down this far ahead (default: PT1M)."),
  POLL("DURATION", "Look for something to do at least this often (default: PT1S)."),
  CLAIM_AHEAD("DURATION", "Claim runs at most this long before they are due (default: PT0.5S)."),
  HEARTBEAT("DURATION", "Give a sign of life this often (default: PT5S)."),
  LEASE("DURATION", "Take over the runs of a node silent for this long (default: PT15S)."),
  CONCURRENCY("COUNT", "Runs this node works on at a time."),
  DRAIN("DURATION", "Wait this long for running work when stopping (default: PT30S)."),
  RETENTION("DURATION", "Keep the history of runs this long (default: P180D)."),
  REPORT_TIMEOUT(
      "DURATION",
      "Give up a run that others have accepted after this long without a report (default: P1D)."),
  DEFAULT_OVERLAP("RULE", "Overlap of schedules that do not say (default: skip)."),
  DEFAULT_CATCH_UP(
      "MODE", "Catch-up of cron timings and one-shots that do not say (default: once)."),
  DEFAULT_GRACE(
      "DURATION", "A slot this late is not missed, where nothing is said (default: PT5M)."),
  DEFAULT_MAX_AGE(
      "DURATION", "Missed slots older than this never run, where nothing is said (default: P1D)."),
  DEFAULT_JITTER("DURATION", "Jitter of schedules that do not say (default: PT0S)."),
  CATCH_UP_LIMIT("COUNT", "Catch-up limit of schedules that do not say (default: 10000)."),
  CATCH_UP_PER_TICK(
      "COUNT", "Missed slots of a schedule that become runs at a time, at most (default: 100)."),
  QUEUE_LIMIT("COUNT", "Runs that may wait in a queue that does not say (default: 100)."),
  ALLOWED_ZONES("LIST", "Time zones that schedules may use, such as UTC,Europe/* (default: all)."),
  ALLOWED_HOSTS(
      "LIST", "Inside hosts that http targets may call, such as 10.0.0.0/8,hooks.internal:8080."),
  EXECUTOR_URL(
      "URL", "Executor that workflows are handed to, unless a target 'workflow' is defined."),
  EXECUTOR_SECRET("SECRET", "What messages to the executor are signed with."),
  EXECUTOR_COMPLETION(
      "WORD",
      "A workflow is done when the executor has accepted or has reported (default: accepted)."),
  SECRET_KEY(
      "KEYS", "Keys that secrets of targets are encrypted with, as id:base64; the first encrypts."),
  SECRET_KEY_FILE("FILE", "File with these keys, one per line; the first encrypts, all decrypt."),
  ADMIN_TOKEN("TOKEN", "Token of an administrator, instead of a generated one."),
  SIGN_IN_FAILURES("COUNT", "Failed sign-ins per minute and address, at most (default: 30)."),
  JWT_JWKS_URL("URL", "Accept JWTs signed with the keys found there."),
  JWT_KEY_FILE("FILE", "Accept JWTs signed with these keys: a PEM public key, or a JWK set."),
  JWT_ISSUER("TEXT", "Issuer that JWTs must name."),
  JWT_AUDIENCE("TEXT", "Audience that JWTs must be for."),
  JWT_ALGORITHMS("LIST", "Signature algorithms accepted (default: RS256,PS256,ES256 and longer)."),
  JWT_ROLE_CLAIM("NAME", "Claim with the role, dots lead inside (default: role)."),
  JWT_NAME_CLAIM("NAME", "Claim with the name of the caller (default: sub)."),
  TLS_CERTIFICATE("FILE", "PEM certificate chain; makes the server speak HTTPS."),
  TLS_KEY("FILE", "PEM private key of the certificate, PKCS#8 and not encrypted."),
  TLS_CLIENT_CA("FILE", "PEM certificates of those who sign client certificates."),
  TLS_CLIENT_ROLES("LIST", "Roles of client certificates, as name:role;name:role."),
  TLS_CLIENT_REQUIRED("FLAG", "Refuse connections without a client certificate (default: false)."),
  LOG_FORMAT("FORMAT", "Lines of the log: text for people, or json for programs (default: text)."),
  LOG_LEVEL("LEVEL", "Log from this level on: debug tells of every run (default: info)."),
  REQUEST_LOG("FLAG", "Log each request, without what is private in it (default: false).");

  private static final List<Setting> ALL = List.of(values());

  private final String value;
  private final String says;

  Setting(String value, String says) {
    this.value = value;
    this.says = says;
  }

  /** Return the name as files spell it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Return the name as the environment spells it. */
  public String variable() {
    return "CARILLON_" + name();
  }

  /** Return the name as a flag. */
  public String flag() {
    return "--" + spelling();
  }

  /** Return what kind of value it takes, in a word. */
  public String value() {
    return value;
  }

  /** Return what it does, in a line. */
  public String says() {
    return says;
  }

  /** Return whether its value is secret, so that no flag should carry it. */
  public boolean secret() {
    return this == ADMIN_TOKEN
        || this == DATABASE_PASSWORD
        || this == EXECUTOR_SECRET
        || this == SECRET_KEY;
  }

  /**
   * Return the setting called {@code name} in files.
   *
   * @throws IllegalArgumentException if there is none, naming the nearest
   */
  static Setting named(String name) {
    List<String> known = Arrays.stream(values()).map(Setting::spelling).toList();
    int at = known.indexOf(name);
    if (at < 0) {
      throw new IllegalArgumentException(
          "there is no setting '%s'%s"
              .formatted(
                  name,
                  ClosestMatch.to(name, known, Math.max(1, name.length() / 3))
                      .map("; did you mean '%s'?"::formatted)
                      .orElse("")));
    }
    return ALL.get(at);
  }
}
