package dev.carillon.cli.remote;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A server, and who asks it. No text of this shows the token.
 *
 * @param server where it is, without a slash at the end
 * @param token who asks, if known
 * @param tokenSource where the token is from, in words
 * @param recorded the server whose token it is, if that was found in its data folder: no other gets
 *     it
 */
public record Endpoint(
    URI server, Optional<String> token, String tokenSource, Optional<RecordedServer> recorded) {
  /** What is instead of a token when a certificate says who asks. */
  static final String CERTIFICATE = "the certificate";

  private static final Set<String> SCHEMES = Set.of("http", "https");

  public Endpoint {
    // The HTTP client would repeat the token in its error.
    if (token.filter(text -> !text.matches("[\\x21-\\x7e]+")).isPresent()) {
      throw new CommandFailure(
          Exit.USAGE,
          "the token from %s cannot be one: it has blanks or characters that no token has"
              .formatted(tokenSource));
    }
  }

  Endpoint(URI server, Optional<String> token, String tokenSource) {
    this(server, token, tokenSource, Optional.empty());
  }

  /** Read the address of a server, named by {@code source}. */
  static URI address(String text, String source) {
    try {
      var address = new URI(text.strip().replaceFirst("/+$", ""));
      String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
      boolean usable =
          SCHEMES.contains(scheme)
              && address.getHost() != null
              && address.getRawUserInfo() == null
              && address.getRawQuery() == null
              && address.getRawFragment() == null;
      if (usable) {
        return address;
      }
    } catch (URISyntaxException e) {
      // falls through to the same error, which does not repeat what may hold a password
    }
    throw new CommandFailure(
        Exit.USAGE,
        "%s must be the address of a server, such as http://127.0.0.1:8080".formatted(source));
  }

  /** Say whether a certificate says who asks. */
  public boolean certified() {
    return tokenSource.equals(CERTIFICATE);
  }

  /** Say whether the token would cross a network where others can read it. */
  public boolean exposesToken() {
    return token.isPresent() && "http".equalsIgnoreCase(server.getScheme()) && !isLocal(server);
  }

  /** Say whether {@code address} names this machine, as localhost or by one of its addresses. */
  static boolean isLocal(URI address) {
    String host = address.getHost();
    boolean literal = host.startsWith("[") || host.matches("[0-9.]+");
    return host.equalsIgnoreCase("localhost") || (literal && isThisMachine(host));
  }

  /** Say whether all that {@code host} leads to is on this machine, be it looked up. */
  static boolean isThisMachine(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        boolean here =
            address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || NetworkInterface.getByInetAddress(address) != null;
        if (!here) {
          return false;
        }
      }
      return true;
    } catch (UnknownHostException | SocketException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return server + (token.isPresent() ? " with the token from " + tokenSource : "");
  }
}
