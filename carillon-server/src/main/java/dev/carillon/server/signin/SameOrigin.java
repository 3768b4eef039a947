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
    boolean own =
        site.isPresent()
            ? site.get().equals("same-origin") || isTypedIn(request, site.get())
            : request.header("Origin").map(origin -> isOurs(origin, request)).orElse(true);
    if (!own) {
      throw refused("The cookie of the console counts on its own pages only; send a token.");
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
