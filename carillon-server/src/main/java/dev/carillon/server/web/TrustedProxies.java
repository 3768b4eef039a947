package dev.carillon.server.web;

import dev.carillon.targets.guard.Cidr;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The proxies that are believed when they say from where a request came.
 *
 * <p>Each proxy adds the address it was called from at the right of {@code X-Forwarded-For} or
 * {@code Forwarded}; whatever stands further to the left may be a client's invention. So the list
 * is read from the right, and only as far as those who wrote it are trusted.
 */
public final class TrustedProxies {
  /** No proxy: a request comes from where its connection does. */
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  private static final int MAX_HOPS = 50;

  private final List<Cidr> trusted;

  private TrustedProxies(List<Cidr> trusted) {
    this.trusted = trusted;
  }

  /**
   * Read blocks and addresses with commas between them, such as {@code 10.0.0.0/8,192.0.2.7}.
   *
   * @throws IllegalArgumentException if one of them is neither
   */
  public static TrustedProxies parse(String list) {
    return new TrustedProxies(
        Arrays.stream(list.split(",", -1)).map(String::strip).map(Cidr::parse).toList());
  }

  /**
   * Return from where a request came.
   *
   * @param peer the address of the connection
   * @param forwardedFor the header {@code X-Forwarded-For}, several joined by commas
   * @param forwarded the header {@code Forwarded}, several joined by commas
   */
  public String client(String peer, Optional<String> forwardedFor, Optional<String> forwarded) {
    Optional<InetAddress> caller = Cidr.literal(peer);
    if (trusted.isEmpty() || !caller.map(this::trusts).orElse(false)) {
      return peer;
    }
    InetAddress proxy = caller.get();
    Optional<InetAddress> one = forwardedFor.map(list -> walk(proxy, hops(list)));
    Optional<InetAddress> other = forwarded.map(list -> walk(proxy, ForwardedHeader.hops(list)));
    // A proxy writes one of the two and may pass the other on as the client made it up.
    boolean contradicting = one.isPresent() && other.isPresent() && !one.equals(other);
    return contradicting ? peer : one.or(() -> other).orElse(proxy).getHostAddress();
  }

  private InetAddress walk(InetAddress proxy, List<String> hops) {
    List<String> fromTheRight = new ArrayList<>(hops);
    Collections.reverse(fromTheRight);
    InetAddress client = proxy;
    for (String hop : fromTheRight.subList(0, Math.min(MAX_HOPS, fromTheRight.size()))) {
      Optional<InetAddress> before = address(hop);
      if (!trusts(client) || before.isEmpty()) {
        break;
      }
      client = before.get();
    }
    return client;
  }

  private boolean trusts(InetAddress address) {
    return trusted.stream().anyMatch(block -> block.contains(address));
  }

  private static List<String> hops(String list) {
    return List.of(list.split(",", -1));
  }

  /* An address may have a port, and brackets around it if it is one of IPv6. */
  private static Optional<InetAddress> address(String hop) {
    String text = hop.strip();
    int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
    int colon = text.indexOf(':');
    if (bracket > 0) {
      String rest = text.substring(bracket + 1);
      return rest.isEmpty() || isPort(rest)
          ? Cidr.literal(text.substring(1, bracket))
          : Optional.empty();
    }
    boolean port = colon > 0 && text.indexOf('.') >= 0 && isPort(text.substring(colon));
    return Cidr.literal(port ? text.substring(0, colon) : text);
  }

  private static boolean isPort(String text) {
    return text.length() > 1
        && text.charAt(0) == ':'
        && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
  }
}
