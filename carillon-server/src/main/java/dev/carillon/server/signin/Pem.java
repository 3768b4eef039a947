package dev.carillon.server.signin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys and certificates in files, as PEM; no message quotes what is in them. */
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*([A-Za-z0-9+/=\\s]+)-----END \\1-----");
  private static final List<String> KINDS = List.of("RSA", "EC", "Ed25519");

  private Pem() {}

  static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read %s".formatted(file), e);
    }
  }

  /**
   * Return the certificates in {@code file}, in their order.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static X509Certificate[] certificates(Path file) {
    try {
      var found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(text(file).getBytes(StandardCharsets.US_ASCII)));
      if (!found.isEmpty()) {
        return found.toArray(X509Certificate[]::new);
      }
    } catch (CertificateException e) {
      // falls through to the same complaint
    }
    throw new IllegalArgumentException("%s holds no certificate in PEM".formatted(file));
  }

  /**
   * Return the private key in {@code file}.
   *
   * @throws IllegalArgumentException if there is none that can be read
   */
  public static PrivateKey privateKey(Path file) {
    byte[] bytes = block(file, "PRIVATE KEY");
    for (String kind : KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (GeneralSecurityException e) {
        // of another kind
      }
    }
    throw new IllegalArgumentException("%s holds a key of no known kind".formatted(file));
  }

  static PublicKey publicKey(Path file) {
    byte[] bytes = block(file, "PUBLIC KEY");
    for (String kind : KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(bytes));
      } catch (GeneralSecurityException e) {
        // of another kind
      }
    }
    throw new IllegalArgumentException("%s holds a key of no known kind".formatted(file));
  }

  private static byte[] block(Path file, String label) {
    Matcher blocks = BLOCK.matcher(text(file));
    while (blocks.find()) {
      if (blocks.group(1).equals(label)) {
        return Base64.getMimeDecoder().decode(blocks.group(2));
      }
    }
    throw new IllegalArgumentException(
        "%s holds no '%s' in PEM; a private key must be PKCS#8 and not encrypted"
            .formatted(file, label));
  }
}
