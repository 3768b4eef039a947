package dev.carillon.server.signin;

import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Tells requests of the console's own pages from those that other pages make a browser send. */
public final class SameOrigin {
  private static final String HEADER = "X-Carillon-Console";
  private static final Set<String> READS = Set.of("GET", "HEAD");

  private SameOrigin() {}

  /** Tell whether somebody is at the page; else it asks by itself. */
  static boolean isUsed(Request request) {
    return request.header(HEADER).filter("idle"::equals).isEmpty();
  }

  /**
   * Check a request that carries a cookie, or asks for one.
   *
   * @throws ProblemException if another site has sent it, or may have
   */
  public static void check(Request request) {
    if (!READS.contains(request.method()) && request.header(HEADER).isEmpty()) {
      // Another origin could send it only after a preflight, which no route answers.
      throw refused(
          "A change that is sent with a cookie needs the header %s: 1; or send a token."
              .formatted(HEADER));
    }
    Optional<String> site = request.header("Sec-Fetch-Site");
    if (site.isPresent()) {
      if (!site.get().equals("same-origin") && !isTypedIn(request, site.get())) {
        throw refused("The cookie of the console counts on its own pages only; send a token.");
      }
      return;
    }
    // Browsers tell the site only where the connection is safe.
    Optional<String> origin = request.header("Origin").filter(page -> !isOurs(page, request));
    if (origin.isPresent()) {
      throw refused(
          "The page is at %s and the server at %s: the cookie of the console counts on its own pages only. A proxy must pass Host on, or set X-Forwarded-Host."
              .formatted(origin.get(), request.header("Host").orElse("an unknown host")));
    }
  }

  /**
   * Check a request without a token or a cookie: a browser may have added a certificate to it,
   * whichever page has sent it.
   *
   * @throws ProblemException if it is a change that another site has sent
   */
  static void checkUnasked(Request request) {
    boolean foreign =
        request.header("Sec-Fetch-Site").filter(site -> !site.equals("same-origin")).isPresent();
    if (foreign && !READS.contains(request.method())) {
      throw refused("Changes by pages of other sites need a token.");
    }
  }

  /* What somebody typed into the address bar, or opened from a bookmark. */
  private static boolean isTypedIn(Request request, String site) {
    return site.equals("none") && READS.contains(request.method());
  }

  private static boolean isOurs(String origin, Request request) {
    int host = origin.indexOf("://");
    return host > 0
        && Stream.of("Host", "X-Forwarded-Host")
            .flatMap(header -> request.header(header).stream())
            .anyMatch(ours -> ours.equalsIgnoreCase(origin.substring(host + "://".length())));
  }

  private static ProblemException refused(String detail) {
    return new ProblemException(ProblemKind.FORBIDDEN, detail);
  }
}
