package dev.carillon.server;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a PostgreSQL database, and who signs in there.
 *
 * <p>No message and no {@code toString} shows the password, nor a text it might be part of.
 *
 * @param hosts one or more {@code host:port}, separated by commas
 * @param database its name
 * @param options further options of the connection, by the driver's names
 * @param user who signs in, if given
 * @param password with which password, if given
 */
public record DatabaseUrl(
    String hosts,
    String database,
    Map<String, String> options,
    Optional<String> user,
    Optional<String> password) {
  private static final String EXPECTED =
      "the database URL must look like postgresql://user:password@host:5432/database or"
          + " jdbc:postgresql://host:5432/database";
  private static final Pattern SCHEME = Pattern.compile("(jdbc:postgresql|postgres(?:ql)?)://(.*)");
  private static final Pattern PARTS =
      Pattern.compile(
          "(?:(?<account>.*)@)?(?<hosts>[^/?@]*)(?:/(?<database>[^?]*))?(?:\\?(?<query>.*))?");
  private static final Pattern HOSTS =
      Pattern.compile(
          "(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:,]+)?(:\\d{1,5})?(,(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:,]+)?(:\\d{1,5})?)*");

  /* The names of libpq, which postgresql:// URLs use, where the driver has others. */
  private static final Map<String, String> DRIVER_NAMES =
      Map.of("application_name", "ApplicationName", "connect_timeout", "connectTimeout");

  public DatabaseUrl {
    options = Map.copyOf(options);
  }

  /**
   * Read a URL as JDBC or libpq spell it.
   *
   * @throws IllegalArgumentException if it is neither; the message does not repeat it
   */
  public static DatabaseUrl parse(String text) {
    Matcher scheme = SCHEME.matcher(text.strip());
    if (!scheme.matches()) {
      throw new IllegalArgumentException(EXPECTED);
    }
    Matcher parts = PARTS.matcher(scheme.group(2));
    if (!parts.matches() || !HOSTS.matcher(parts.group("hosts")).matches()) {
      throw new IllegalArgumentException(
          EXPECTED + "; percent-encode what has a meaning there, such as @ / ? in a password");
    }
    String[] account = Optional.ofNullable(parts.group("account")).orElse("").split(":", 2);
    Map<String, String> options = options(Optional.ofNullable(parts.group("query")).orElse(""));
    Optional<String> user =
        nonEmpty(options.remove("user")).or(() -> nonEmpty(decoded(account[0])));
    Optional<String> password =
        nonEmpty(options.remove("password"))
            .or(() -> account.length > 1 ? nonEmpty(decoded(account[1])) : Optional.empty());
    String database = Optional.ofNullable(parts.group("database")).orElse("");
    return new DatabaseUrl(
        withPorts(parts.group("hosts")),
        nonEmpty(decoded(database)).or(() -> user).orElse("postgres"),
        options,
        user,
        password);
  }

  /** Return the same address with another account, where one is given. */
  public DatabaseUrl signingIn(Optional<String> otherUser, Optional<String> otherPassword) {
    return new DatabaseUrl(
        hosts, database, options, otherUser.or(() -> user), otherPassword.or(() -> password));
  }

  /** Return the address of another database on the same server, for the same account. */
  public DatabaseUrl naming(String otherDatabase) {
    return new DatabaseUrl(hosts, otherDatabase, options, user, password);
  }

  /** Return the address for the driver, without the account. */
  String jdbc() {
    String query =
        options.entrySet().stream()
            .map(option -> encoded(option.getKey()) + "=" + encoded(option.getValue()))
            .sorted()
            .collect(Collectors.joining("&"));
    return "jdbc:postgresql://%s/%s%s"
        .formatted(hosts, encoded(database), query.isEmpty() ? "" : "?" + query);
  }

  /** Return where this is in words: host, database and user. */
  @Override
  public String toString() {
    return hosts + "/" + database + user.map(" as "::concat).orElse("");
  }

  private static String withPorts(String hosts) {
    return Arrays.stream(hosts.split(",", -1))
        .map(host -> host.isEmpty() || host.startsWith(":") ? "localhost" + host : host)
        .map(host -> host.matches(".*:\\d+") ? host : host + ":5432")
        .peek(DatabaseUrl::checkPort)
        .collect(Collectors.joining(","));
  }

  private static void checkPort(String host) {
    String port = host.substring(host.lastIndexOf(':') + 1);
    if (Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65535) {
      throw new IllegalArgumentException(
          "the port in the database URL must be 1 to 65535; was " + port);
    }
  }

  private static Map<String, String> options(String query) {
    var options = new LinkedHashMap<String, String>();
    for (String option : query.split("&", -1)) {
      String[] pair = option.split("=", 2);
      if (!pair[0].isEmpty()) {
        String name = decoded(pair[0]);
        options.put(DRIVER_NAMES.getOrDefault(name, name), pair.length > 1 ? decoded(pair[1]) : "");
      }
    }
    return options;
  }

  private static Optional<String> nonEmpty(@Nullable String value) {
    return Optional.ofNullable(value).filter(text -> !text.isEmpty());
  }

  /* A plus sign stands for itself: only forms, not URLs, write a space so. */
  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the database URL has a % that is not followed by two hexadecimal digits; write %25 for"
              + " a percent sign");
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
