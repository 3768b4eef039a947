package dev.carillon.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A client with a self-signed certificate, made by the JDK's own tool. */
final class Certified {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Path folder;
  private final String name;
  private final KeyStore store;

  Certified(Path folder, String name, String alternatives) throws Exception {
    this(folder, name, made(folder, name, alternatives));
  }

  /** Read a client from the file that holds its key. */
  Certified(Path folder, String name, Path file) throws Exception {
    this.folder = folder;
    this.name = name;
    store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
  }

  private static Path made(Path folder, String name, String alternatives) throws Exception {
    Path file = folder.resolve(name + ".p12");
    Authority.pair(file, name, "SAN=" + alternatives);
    return file;
  }

  Path certificate() throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", x509().getEncoded());
  }

  Path key() throws IOException, GeneralSecurityException {
    return pem("PRIVATE KEY", store.getKey(name, PASSWORD).getEncoded());
  }

  X509Certificate x509() throws GeneralSecurityException {
    return (X509Certificate) store.getCertificate(name);
  }

  private Path pem(String label, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(name + "-" + label.replace(' ', '-') + ".pem"),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label));
  }

  /** Return how a client trusts {@code server} and shows the certificate of {@code client}. */
  static SSLContext trusting(Certified server, Certified... client) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    KeyStore none = KeyStore.getInstance("PKCS12");
    none.load(null, PASSWORD);
    keys.init(client.length > 0 ? client[0].store : none, PASSWORD);
    return context(server, keys.getKeyManagers());
  }

  /** Return the same for a client that shows its certificate to everybody. */
  static SSLContext insisting(Certified server, Certified client) throws Exception {
    X509Certificate[] chain =
        Arrays.stream(client.store.getCertificateChain(client.name))
            .map(X509Certificate.class::cast)
            .toArray(X509Certificate[]::new);
    var key = (PrivateKey) client.store.getKey(client.name, PASSWORD);
    return context(server, new Insisting(client.name, chain, key));
  }

  private static SSLContext context(Certified server, KeyManager... keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, PASSWORD);
    trusted.setCertificateEntry("server", server.x509());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    return context;
  }
}
