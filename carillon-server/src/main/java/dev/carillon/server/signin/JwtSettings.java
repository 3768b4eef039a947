package dev.carillon.server.signin;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which JWTs are accepted.
 *
 * @param jwks where the keys are published
 * @param keys the file the keys are in
 * @param issuer who must have issued them
 * @param audience for whom they must be
 * @param algorithms how they may be signed
 * @param roleClaim where they name the role; dots lead inside
 * @param nameClaim where they name the caller
 */
public record JwtSettings(
    Optional<URI> jwks,
    Optional<Path> keys,
    String issuer,
    String audience,
    Set<String> algorithms,
    String roleClaim,
    String nameClaim) {
  /** Signatures that only the holder of a private key can make. */
  public static final Set<String> DEFAULT_ALGORITHMS =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Set<String> SHARED_KEY = Set.of("HS256", "HS384", "HS512");

  public JwtSettings {
    algorithms = Set.copyOf(algorithms);
    if (jwks.isPresent() && algorithms.stream().anyMatch(SHARED_KEY::contains)) {
      throw new IllegalArgumentException(
          "algorithms with a shared key (HS…) need --jwt-key-file (or CARILLON_JWT_KEY_FILE): what is"
              + " published is not secret");
    }
  }

  /** Return whether the key that checks these JWTs can also make them. */
  boolean sharesKey() {
    return algorithms.stream().anyMatch(SHARED_KEY::contains);
  }

  /** Return the algorithms of a list with commas. */
  public static Set<String> checkedAlgorithms(String list) {
    var algorithms = new LinkedHashSet<String>();
    for (String name : list.split(",", -1)) {
      String algorithm = name.strip().toUpperCase(Locale.ROOT);
      if (!DEFAULT_ALGORITHMS.contains(algorithm) && !SHARED_KEY.contains(algorithm)) {
        throw new IllegalArgumentException(
            "'%s' is no accepted algorithm; use RS256, PS256, ES256 or longer, or HS256 or longer with a shared key"
                .formatted(name.strip()));
      }
      algorithms.add(algorithm);
    }
    if (algorithms.stream().anyMatch(SHARED_KEY::contains)
        && algorithms.stream().anyMatch(DEFAULT_ALGORITHMS::contains)) {
      throw new IllegalArgumentException(
          "algorithms with a shared key (HS…) and with a key pair exclude each other, lest a public"
              + " key be taken for a shared one");
    }
    return algorithms;
  }

  /** Return the address of keys: https, or http on this machine. */
  public static URI checkedUrl(String text) {
    URI url = URI.create(text);
    boolean local =
        Arrays.asList("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(url.getHost()));
    if (url.getHost() == null
        || !("https".equals(url.getScheme()) || (local && "http".equals(url.getScheme())))) {
      throw new IllegalArgumentException(
          "keys are fetched from an https:// address; plain http only from this machine");
    }
    return url;
  }
}
