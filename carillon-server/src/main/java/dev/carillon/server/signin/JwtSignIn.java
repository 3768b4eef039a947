package dev.carillon.server.signin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.carillon.model.Scope;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Role;
import dev.carillon.time.InvalidValueException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JWTs as proof of who calls: signed by a known key with an accepted algorithm, for this audience,
 * by this issuer, and within their time. One that is not signed is refused.
 */
public final class JwtSignIn implements BearerToken {
  private static final Logger LOG = LoggerFactory.getLogger(JwtSignIn.class);
  private static final Duration SKEW = Duration.ofSeconds(30);
  private static final int MAX_NAME = 200;

  /* Not scope, which is a list of words in OAuth. */
  private static final String SCOPE_CLAIM = "carillon_scope";

  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
  private final JwtSettings settings;

  /**
   * Accept what {@code settings} say.
   *
   * @param clock says how old published keys are
   * @throws IllegalArgumentException if the keys cannot be used
   */
  public JwtSignIn(JwtSettings settings, InstantSource clock) {
    this.settings = settings;
    Set<JWSAlgorithm> algorithms =
        settings.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(algorithms, keys(settings, clock)));
    var claims =
        new DefaultJWTClaimsVerifier<SecurityContext>(
            settings.audience(),
            new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
            Set.of("exp", settings.nameClaim()));
    claims.setMaxClockSkew(Math.toIntExact(SKEW.toSeconds()));
    processor.setJWTClaimsSetVerifier(claims);
  }

  @Override
  public Optional<Caller> caller(String token) {
    if (!couldBeValid(token)) {
      return Optional.empty();
    }
    try {
      JWTClaimsSet claims = processor.process(token, null);
      Caller.Limits limits = limits(claims);
      Role role = role(claims);
      return name(claims)
          .filter(name -> limits.scope().isAll() || role != Role.ADMIN)
          .map(name -> new Caller(name, role, "jwt", id(claims, name), limits));
    } catch (ParseException
        | BadJOSEException
        | JOSEException
        | InvalidValueException
        | ClassCastException e) {
      LOG.debug("a JWT was refused: {}", e.getClass().getSimpleName());
      return Optional.empty();
    }
  }

  @Override
  public boolean couldBeValid(String token) {
    return !token.startsWith(ApiTokenSecret.PREFIX)
        && token.chars().filter(c -> c == '.').count() == 2;
  }

  private Optional<String> name(JWTClaimsSet claims) {
    return Optional.ofNullable(claims.getClaim(settings.nameClaim()))
        .map(String::valueOf)
        .map(name -> withoutControls(name).strip())
        .filter(name -> !name.isEmpty() && name.length() <= MAX_NAME);
  }

  private static String withoutControls(String name) {
    var text = new StringBuilder(name.length());
    name.chars().forEach(c -> text.append(c < ' ' || c == 0x7F ? ' ' : (char) c));
    return text.toString();
  }

  private static Caller.Limits limits(JWTClaimsSet claims) throws ParseException {
    Map<String, Object> kinds = claims.getJSONObjectClaim(SCOPE_CLAIM);
    // A claim that is null is no scope that anyone meant.
    Scope scope =
        claims.getClaims().containsKey(SCOPE_CLAIM)
            ? Scope.of(kinds == null ? Map.of() : kinds)
            : Scope.ALL;
    return new Caller.Limits(
        scope,
        Optional.ofNullable(claims.getExpirationTime()).map(end -> end.toInstant().plus(SKEW)));
  }

  /* An issuer gives a subject to one only (RFC 7519, 4.1.2); names it may give to many. */
  private static String id(JWTClaimsSet claims, String name) {
    return claims.getIssuer() + "\n" + Optional.ofNullable(claims.getSubject()).orElse(name);
  }

  private Role role(JWTClaimsSet claims) {
    return words(claim(claims.getClaims(), settings.roleClaim()))
        .flatMap(word -> Role.named(word).stream())
        .max(Role::compareTo)
        .orElse(Role.OPEN);
  }

  /* A claim may have dots in its name, so the whole name is tried first. */
  private static @Nullable Object claim(Map<?, ?> claims, String name) {
    if (claims.containsKey(name) || !name.contains(".")) {
      return claims.get(name);
    }
    int dot = name.indexOf('.');
    return claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner
        ? claim(inner, name.substring(dot + 1))
        : null;
  }

  private static Stream<String> words(@Nullable Object claim) {
    if (claim instanceof Collection<?> several) {
      return several.stream().map(String::valueOf);
    }
    return claim instanceof String text ? Arrays.stream(text.split(" ", -1)) : Stream.empty();
  }

  private static JWKSource<SecurityContext> keys(JwtSettings settings, InstantSource clock) {
    if (settings.jwks().isPresent()) {
      return new PublishedKeys(settings.jwks().get(), clock);
    }
    Path file = settings.keys().orElseThrow();
    JWKSet keys = read(file);
    boolean fit =
        keys.getKeys().stream()
            .allMatch(key -> key.getKeyType().equals(KeyType.OCT) == settings.sharesKey());
    if (!fit || keys.isEmpty()) {
      throw new IllegalArgumentException(
          "%s must hold %s, as the accepted algorithms need"
              .formatted(file, settings.sharesKey() ? "shared keys only" : "public keys only"));
    }
    return new ImmutableJWKSet<>(keys);
  }

  private static JWKSet read(Path file) {
    String text = Pem.text(file);
    if (text.contains("-----BEGIN")) {
      return new JWKSet(List.of(jwk(file, Pem.publicKey(file))));
    }
    try {
      return JWKSet.parse(text);
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          "%s is neither a public key in PEM nor a JWK set".formatted(file));
    }
  }

  private static JWK jwk(Path file, PublicKey key) {
    if (key instanceof RSAPublicKey rsa) {
      return new RSAKey.Builder(rsa).build();
    }
    if (key instanceof ECPublicKey ec) {
      return new ECKey.Builder(Curve.forECParameterSpec(ec.getParams()), ec).build();
    }
    throw new IllegalArgumentException("%s must hold an RSA or EC key".formatted(file));
  }
}
