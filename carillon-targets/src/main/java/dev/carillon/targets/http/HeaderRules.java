package dev.carillon.targets.http;

import dev.carillon.json.AsciiText;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which headers a user may add to a request. */
final class HeaderRules {
  private static final int MAX_HEADERS = 32;
  private static final int MAX_NAME_LENGTH = 100;
  static final int MAX_VALUE_LENGTH = 4_096;
  static final int MAX_TOTAL_LENGTH = 16_384;

  /* Headers of message framing and of the connection, and those that Carillon sets. */
  private static final Set<String> RESERVED =
      Set.of(
          "host",
          "content-length",
          "content-type",
          "content-encoding",
          "transfer-encoding",
          "te",
          "trailer",
          "connection",
          "keep-alive",
          "upgrade",
          "http2-settings",
          "expect",
          "accept-encoding",
          "idempotency-key",
          "traceparent");
  private static final Set<String> RESERVED_PREFIXES =
      Set.of("webhook-", "carillon-", "proxy-", ":");

  private final Set<String> seen = new HashSet<>();
  private int totalLength;

  /** Return what is wrong with one header, without repeating its value. */
  Optional<String> fault(String name, @Nullable Object value) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    totalLength += name.length() + (value instanceof String text ? text.length() : 0);
    if (RESERVED.contains(lowerCase)
        || RESERVED_PREFIXES.stream().anyMatch(lowerCase::startsWith)) {
      return Optional.of("is set by Carillon and cannot be given");
    }
    if (!isToken(name)) {
      return Optional.of(
          "is no name of a header: up to " + MAX_NAME_LENGTH + " letters, digits and hyphens");
    }
    if (!seen.add(lowerCase)) {
      return Optional.of("is given twice; capitals make no difference");
    }
    if (!(value instanceof String text)) {
      return Optional.of("must be a text");
    }
    return isValue(text)
        ? Optional.empty()
        : Optional.of("must be up to " + MAX_VALUE_LENGTH + " plain ASCII characters in one line");
  }

  /** Return whether {@code text} can be the value of a header, and of one header only. */
  static boolean isValue(String text) {
    return text.length() <= MAX_VALUE_LENGTH
        && text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 0x7F));
  }

  /* RFC 9110, 5.6.2. */
  private static boolean isToken(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_NAME_LENGTH
        && name.chars()
            .allMatch(c -> AsciiText.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  /** Return what is wrong with the number or total length of the headers. */
  Optional<String> faultOfAll() {
    return seen.size() <= MAX_HEADERS && totalLength <= MAX_TOTAL_LENGTH
        ? Optional.empty()
        : Optional.of(
            "may be %s headers of %s characters together".formatted(MAX_HEADERS, MAX_TOTAL_LENGTH));
  }
}
