package dev.carillon.targets;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which headers a user may add to a request. */
final class HeaderRules {
  private static final int MOST = 32;
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_VALUE = 4_096;
  private static final int LONGEST_TOGETHER = 16_384;

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
    if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1," + LONGEST_NAME + "}")) {
      return Optional.of(
          "is no name of a header: up to " + LONGEST_NAME + " letters, digits and hyphens");
    }
    if (!seen.add(lowerCase)) {
      return Optional.of("is given twice; capitals make no difference");
    }
    if (!(value instanceof String text)) {
      return Optional.of("must be a text");
    }
    boolean plain = text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 0x7F));
    return plain && text.length() <= LONGEST_VALUE
        ? Optional.empty()
        : Optional.of("must be up to " + LONGEST_VALUE + " plain ASCII characters in one line");
  }

  /** Return what is wrong with the number or total length of the headers. */
  Optional<String> faultOfAll() {
    return seen.size() <= MOST && totalLength <= LONGEST_TOGETHER
        ? Optional.empty()
        : Optional.of(
            "may be %s headers of %s characters together".formatted(MOST, LONGEST_TOGETHER));
  }
}
