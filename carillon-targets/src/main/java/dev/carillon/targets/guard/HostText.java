package dev.carillon.targets.guard;

import dev.carillon.json.AsciiText;
import java.util.Locale;

/** Normalizes the host part of URLs and detects numeric hosts. */
public final class HostText {
  private static final int IPV4_BYTES = 4;

  private HostText() {}

  /** Return a host without brackets and final dot, in lower case. */
  public static String normalize(String host) {
    String bare =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    String name = bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
    return name.toLowerCase(Locale.ROOT);
  }

  /** Return whether {@code host} is an IPv4 address of four decimal numbers. */
  static boolean isIpv4(String host) {
    int at = 0;
    for (int i = 1; i <= IPV4_BYTES; i++) {
      int end = i < IPV4_BYTES ? host.indexOf('.', at) : host.length();
      if (end < 0 || !isByte(host.substring(at, end))) {
        return false;
      }
      at = end + 1;
    }
    return true;
  }

  /* A zero in front would make it octal to some. */
  private static boolean isByte(String digits) {
    return AsciiText.number(digits, 3).orElse(256) <= 255
        && (digits.length() == 1 || !digits.startsWith("0"));
  }

  /** Return whether {@code host} has the characters of a name only. */
  static boolean isName(String host) {
    return !host.isEmpty()
        && host.chars()
            .allMatch(c -> AsciiText.isLetterOrDigit(c) || c == '.' || c == '_' || c == '-');
  }

  /** Return whether {@code host} is an IPv4 address in another notation, such as 0x7f.1. */
  public static boolean isObfuscatedIpv4(String host) {
    String name = normalize(host);
    String last = name.substring(name.lastIndexOf('.') + 1);
    return !host.startsWith("[") && isNumber(last) && !isIpv4(host);
  }

  private static boolean isNumber(String text) {
    boolean hexadecimal = text.startsWith("0x") || text.startsWith("0X");
    return hexadecimal
        ? text.chars().skip(2).allMatch(AsciiText::isHexDigit)
        : !text.isEmpty() && text.chars().allMatch(AsciiText::isDigit);
  }
}
