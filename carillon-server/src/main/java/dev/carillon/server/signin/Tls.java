package dev.carillon.server.signin;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Secures connections, as settings say. */
public final class Tls {
  private Tls() {}

  /**
   * Return how Jetty is to secure connections.
   *
   * @throws IllegalArgumentException if a file cannot be used
   */
  public static SslContextFactory.Server of(TlsSettings settings) {
    var factory = new SslContextFactory.Server();
    factory.setSniRequired(false);
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    X509Certificate[] chain = Pem.certificates(settings.certificate());
    KeyStore keys = empty();
    try {
      keys.setKeyEntry("carillon", Pem.privateKey(settings.key()), new char[0], chain);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "%s and %s do not go together".formatted(settings.certificate(), settings.key()), e);
    }
    factory.setKeyStore(keys);
    factory.setKeyStorePassword("");
    factory.setKeyManagerPassword("");
    settings.clientCa().map(Pem::certificates).map(Tls::trusting).ifPresent(factory::setTrustStore);
    if (settings.clientCa().isPresent()) {
      factory.setWantClientAuth(true);
      factory.setNeedClientAuth(settings.clientRequired());
    }
    return factory;
  }

  /** Return whom client certificates stand for. */
  public static ClientCertificates certificates(Optional<TlsSettings> settings) {
    return settings
        .map(tls -> new ClientCertificates(tls.clientRoles()))
        .orElse(ClientCertificates.NONE);
  }

  private static KeyStore trusting(Certificate[] signers) {
    KeyStore trusted = empty();
    try {
      for (int i = 0; i < signers.length; i++) {
        trusted.setCertificateEntry("signer-" + i, signers[i]);
      }
      return trusted;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("the signers of client certificates cannot be used", e);
    }
  }

  private static KeyStore empty() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, new char[0]);
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every Java has PKCS12", e);
    }
  }
}
