package dev.carillon.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Somebody with a certificate they signed themselves, made by the JDK's own tool. */
final class Certified {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Path folder;
  private final String name;
  private final KeyStore store;

  Certified(Path folder, String name, String alternatives) throws Exception {
    this.folder = folder;
    this.name = name;
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name + ", O=Example",
                "-ext",
                "SAN=" + alternatives,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
    store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
  }

  Path certificate() throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", x509().getEncoded());
  }

  Path key() throws IOException, GeneralSecurityException {
    return pem("PRIVATE KEY", store.getKey(name, PASSWORD).getEncoded());
  }

  private X509Certificate x509() throws GeneralSecurityException {
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
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, PASSWORD);
    trusted.setCertificateEntry("server", server.x509());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    KeyStore none = KeyStore.getInstance("PKCS12");
    none.load(null, PASSWORD);
    keys.init(client.length > 0 ? client[0].store : none, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
