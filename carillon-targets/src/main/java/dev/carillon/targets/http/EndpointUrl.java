package dev.carillon.targets.http;

import dev.carillon.targets.SafeText;
import dev.carillon.targets.guard.HostText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses endpoint URLs strictly: refuses forms that other parsers may read differently. */
final class EndpointUrl {
  private static final int MAX_LENGTH = 2_000;
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private EndpointUrl() {}

  static URI parse(String text) {
    if (text.isEmpty()) {
      throw refused("a url is needed, such as https://example.com/hook");
    }
    if (text.length() > MAX_LENGTH) {
      throw refused("a url may have " + MAX_LENGTH + " characters; this one has " + text.length());
    }
    URI url = read(text);
    String scheme = url.getScheme();
    if (scheme == null || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
      throw refused("a url begins with http:// or https://");
    }
    // If the host is none, the URI has an authority but no user info; it may hold a password still.
    if (url.getRawAuthority() != null && url.getRawAuthority().indexOf('@') >= 0) {
      throw refused("a url holds no user and password; send an Authorization header instead");
    }
    if (url.getRawFragment() != null) {
      throw refused("a url has no part behind #; endpoints never see it");
    }
    checkHost(url.getHost(), url.getRawAuthority());
    if (url.getPort() == 0 || url.getPort() > 65_535) {
      throw refused("a port is a number from 1 to 65535; was " + url.getPort());
    }
    return url;
  }

  private static URI read(String text) {
    if (!text.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw refused(
          "a url is plain ASCII without blanks; write other characters as %xx, other names as"
              + " xn--…");
    }
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw refused("this is no url: " + SafeText.line(e.getReason(), 200));
    }
  }

  private static void checkHost(@Nullable String host, @Nullable String authority) {
    if (host == null) {
      throw refused(
          "'%s' is no host that can be called; write a name, four decimal numbers, or an IPv6 address in brackets"
              .formatted(authority == null ? "" : SafeText.line(authority, 300)));
    }
    if (host.endsWith(".")) {
      throw refused("write the host without the dot at its end: " + HostText.normalize(host));
    }
    if (host.indexOf('%') >= 0) {
      throw refused("an address of one network card, such as fe80::1%eth0, cannot be a target");
    }
    if (HostText.isObfuscatedIpv4(host)) {
      throw refused("'%s' is a number, not a name; write four decimal numbers".formatted(host));
    }
  }

  private static IllegalArgumentException refused(String message) {
    return new IllegalArgumentException(message);
  }
}
