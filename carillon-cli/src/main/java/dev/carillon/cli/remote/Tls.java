package dev.carillon.cli.remote;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.server.signin.Pem;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * How connections with TLS are made, by files in PEM.
 *
 * @param ca who may sign the certificates of servers; Java's own signers if empty
 * @param certificate what this program shows to servers that ask
 * @param key of that certificate
 */
record Tls(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key) {
  private static final char[] NO_PASSWORD = new char[0];

  Tls {
    if (certificate.isPresent() != key.isPresent()) {
      throw Session.wrong("--cert and --key go together: the certificate, and its private key");
    }
  }

  /** Return this for the HTTP client; empty if there is nothing to say. */
  Optional<SSLContext> context() {
    if (ca.isEmpty() && certificate.isEmpty()) {
      return Optional.empty();
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return Optional.of(context);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(Exit.USAGE, e);
    } catch (GeneralSecurityException | IOException e) {
      throw Session.wrong("the certificates cannot be used: %s", String.valueOf(e.getMessage()));
    }
  }

  private KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
    if (certificate.isEmpty() || key.isEmpty()) {
      return new KeyManager[0];
    }
    KeyStore store = empty();
    X509Certificate[] chain = Pem.certificates(certificate.get());
    store.setKeyEntry("client", Pem.privateKey(key.get()), NO_PASSWORD, chain);
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, NO_PASSWORD);
    return keys.getKeyManagers();
  }

  private TrustManager[] trustManagers() throws GeneralSecurityException, IOException {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    if (ca.isEmpty()) {
      trust.init((KeyStore) null); // whom Java trusts
      return trust.getTrustManagers();
    }
    KeyStore trusted = empty();
    for (X509Certificate each : Pem.certificates(ca.get())) {
      trusted.setCertificateEntry("trusted-" + trusted.size(), each);
    }
    trust.init(trusted);
    return trust.getTrustManagers();
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
