package dev.carillon.server.signin;

import dev.carillon.server.web.Request;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * The cookie of a session of the console. It names no path, so that browsers send it to what is
 * beside the route that set it, which is the API, under whatever prefix a proxy has put it.
 */
public final class SessionCookie {
  private static final String NAME = "carillon_session";
  private static final String RULES = "; HttpOnly; SameSite=Strict";

  private SessionCookie() {}

  /** Return the secret that {@code request} carries, if any. */
  public static Optional<String> of(Request request) {
    return request.header("Cookie").stream()
        .flatMap(header -> Arrays.stream(header.replace(',', ';').split(";", -1)))
        .map(String::strip)
        .filter(pair -> pair.startsWith(NAME + "="))
        .map(pair -> pair.substring(NAME.length() + 1))
        .findFirst();
  }

  /** Return the header that sets the cookie, in answer to {@code request}. */
  public static String set(Request request, String secret, Duration lasting) {
    return NAME + "=" + secret + "; Max-Age=" + lasting.toSeconds() + RULES + secure(request);
  }

  /** Return the header that removes the cookie, in answer to {@code request}. */
  public static String removed(Request request) {
    return NAME + "=; Max-Age=0" + RULES + secure(request);
  }

  /* A browser says by itself where the page came from, also when a proxy ended its TLS. */
  private static String secure(Request request) {
    return request.header("Origin").filter(origin -> origin.startsWith("https://")).isPresent()
        ? "; Secure"
        : "";
  }
}
