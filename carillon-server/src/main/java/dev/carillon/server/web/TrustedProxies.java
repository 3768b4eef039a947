package dev.carillon.server.web;

import dev.carillon.targets.guard.Cidr;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  private static final Pattern WITH_PORT =
      Pattern.compile("\\[(?<bracketed>[^\\]]*)\\](:\\d+)?|(?<plain>[0-9.]+):\\d+");
  private static final Pattern FORWARDED_PART =
      Pattern.compile("\\G[;\\s]*([^=;,\"\\s]+)=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^;,\"\\s]*))");

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
    Optional<InetAddress> other = forwarded.map(list -> walk(proxy, forwardedHops(list)));
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

  /* RFC 7239: elements with commas between them, each of pairs with semicolons between them. */
  private static List<String> forwardedHops(String list) {
    var hops = new ArrayList<String>();
    int at = 0;
    while (at <= list.length()) {
      Matcher part = FORWARDED_PART.matcher(list).region(at, list.length());
      String hop = "";
      while (part.find()) {
        at = part.end();
        if (part.group(1).equalsIgnoreCase("for")) {
          hop = part.group(2) != null ? part.group(2) : part.group(3);
        }
      }
      hops.add(hop);
      int comma = list.indexOf(',', at);
      at = comma < 0 ? list.length() + 1 : comma + 1;
    }
    return hops;
  }

  private static Optional<InetAddress> address(String hop) {
    String text = hop.strip();
    Matcher port = WITH_PORT.matcher(text);
    if (!port.matches()) {
      return Cidr.literal(text);
    }
    String bracketed = port.group("bracketed");
    return Cidr.literal(bracketed != null ? bracketed : port.group("plain"));
  }
}
