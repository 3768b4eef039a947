package dev.carillon.cli.remote;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whom a connection with TLS is believed: the certificates in a file, instead of Java's own. */
final class Trust {
  private Trust() {}

  /** Trust servers whose certificates are in {@code file}, or signed by one that is; as PEM. */
  static SSLContext in(Path file) {
    try (InputStream pem = Files.newInputStream(file)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        trusted.setCertificateEntry("trusted-" + trusted.size(), each);
      }
      if (trusted.size() == 0) {
        throw Session.wrong("%s has no certificate; it must have one as PEM", file);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw Session.wrong("%s cannot be read; --ca must be a file with certificates as PEM", file);
    } catch (GeneralSecurityException e) {
      throw Session.wrong("%s has no certificate that can be read; it must have one as PEM", file);
    }
  }
}
