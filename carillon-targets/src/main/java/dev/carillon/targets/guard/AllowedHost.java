package dev.carillon.targets.guard;

import dev.carillon.json.AsciiText;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One entry of the allowed internal hosts: a CIDR block, an address or a name. */
final class AllowedHost {
  private static final int ANY_PORT = -1;

  private final @Nullable Cidr block;
  private final String name;
  private final int port;

  private AllowedHost(@Nullable Cidr block, String name, int port) {
    this.block = block;
    this.name = name;
    this.port = port;
  }

  /**
   * Read an entry: {@code 10.0.0.0/8}, {@code 10.1.2.3:8080}, {@code [fd00::1]:8080}, {@code
   * fd00::/8}, {@code hooks.internal} or {@code hooks.internal:8080}.
   */
  static AllowedHost parse(String text) {
    String entry = text.strip();
    int colon = entry.lastIndexOf(':');
    boolean hasPort = colon > 0 && (entry.indexOf(':') == colon || entry.startsWith("["));
    boolean bracketedOnly = entry.startsWith("[") && entry.endsWith("]");
    if (!hasPort || bracketedOnly) {
      return host(HostText.normalize(entry), ANY_PORT, entry);
    }
    return host(HostText.normalize(entry.substring(0, colon)), port(entry, colon), entry);
  }

  private static AllowedHost host(String host, int port, String entry) {
    if (Cidr.isNumeric(host)) {
      return new AllowedHost(Cidr.parse(host), "", port);
    }
    if (!HostText.isName(host)
        || host.startsWith(".")
        || host.endsWith(".")
        || host.contains("..")
        || HostText.isObfuscatedIpv4(host)) {
      throw new IllegalArgumentException(
          ("'%s' cannot be allowed; write a block such as 10.0.0.0/8, an address or the name of a"
                  + " host, with :port if only one is meant")
              .formatted(entry));
    }
    return new AllowedHost(null, host, port);
  }

  private static int port(String entry, int colon) {
    long port = AsciiText.number(entry.substring(colon + 1), 5).orElse(0);
    if (port >= 1 && port <= 65_535) {
      return (int) port;
    }
    throw new IllegalArgumentException("'%s' must end in a port from 1 to 65535".formatted(entry));
  }

  /** Return whether this entry allows calling {@code host} at {@code address} of that kind. */
  boolean allows(String host, int port, InetAddress address, AddressKind kind) {
    if (this.port != ANY_PORT && this.port != port) {
      return false;
    }
    return Optional.ofNullable(block)
        .map(cidr -> cidr.contains(address))
        .orElseGet(() -> name.equals(host) && kind.canBeAllowedByName());
  }
}
