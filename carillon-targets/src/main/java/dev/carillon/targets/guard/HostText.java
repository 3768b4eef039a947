package dev.carillon.targets.guard;

import java.util.Locale;
import java.util.regex.Pattern;

/** Normalizes the host part of URLs and detects numeric hosts. */
public final class HostText {
  private static final Pattern IPV4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1?[1-9]?[0-9]|10[0-9])(\\.(?!$)|$)){4}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9A-Fa-f]*");

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
    return IPV4.matcher(host).matches();
  }

  /** Return whether {@code host} is an IPv4 address in another notation, such as 0x7f.1. */
  public static boolean isObfuscatedIpv4(String host) {
    String name = normalize(host);
    String last = name.substring(name.lastIndexOf('.') + 1);
    return !host.startsWith("[") && NUMBER.matcher(last).matches() && !isIpv4(host);
  }
}
