package dev.carillon.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An issuer of JWTs, honest or not. */
final class Keys {
  static final String ISSUER = "https://id.example.org";
  static final String AUDIENCE = "carillon";

  private final KeyPair pair;
  private final @Nullable String id;

  Keys() {
    this(null);
  }

  /** Make a key that is known by {@code id}. */
  Keys(@Nullable String id) {
    this.id = id;
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      pair = generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  String publicPem() {
    String body =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(pair.getPublic().getEncoded());
    return "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n";
  }

  /** Return the public key as it is published. */
  RSAKey published() {
    return new RSAKey.Builder((RSAPublicKey) pair.getPublic()).keyID(id).build();
  }

  Path writePublic(Path folder) {
    try {
      return Files.writeString(folder.resolve("key.pem"), publicPem());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JWTClaimsSet.Builder claims(String role) {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(AUDIENCE)
        .subject("ann")
        .claim("role", List.of(role))
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(600)));
  }

  String signed(JWTClaimsSet.Builder claims) {
    return signed(JWSAlgorithm.RS256, claims, new RSASSASigner(pair.getPrivate()));
  }

  /** Sign with an algorithm that is strong, but may not be on the list. */
  String signed(JWSAlgorithm algorithm, JWTClaimsSet.Builder claims) {
    return signed(algorithm, claims, new RSASSASigner(pair.getPrivate()));
  }

  /** Sign with the public key, as if it were a shared one. */
  String signedWithPublicKey(JWTClaimsSet.Builder claims) {
    try {
      return signed(
          JWSAlgorithm.HS256,
          claims,
          new MACSigner(publicPem().getBytes(StandardCharsets.US_ASCII)));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sign with {@code secret}. */
  String signedWith(byte[] secret, JWTClaimsSet.Builder claims) {
    try {
      return signed(JWSAlgorithm.HS256, claims, new MACSigner(secret));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sign, and tell in the head of the JWT where the key is to be had. */
  String signedPointingTo(URI url, JWTClaimsSet.Builder claims) {
    return signed(
        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(id).jwkURL(url).jwk(published()).build(),
        claims,
        new RSASSASigner(pair.getPrivate()));
  }

  static String unsigned(JWTClaimsSet.Builder claims) {
    return new PlainJWT(claims.build()).serialize();
  }

  private String signed(JWSAlgorithm algorithm, JWTClaimsSet.Builder claims, JWSSigner signer) {
    return signed(
        new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).keyID(id).build(),
        claims,
        signer);
  }

  private static String signed(JWSHeader header, JWTClaimsSet.Builder claims, JWSSigner signer) {
    try {
      var jwt = new SignedJWT(header, claims.build());
      jwt.sign(signer);
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
