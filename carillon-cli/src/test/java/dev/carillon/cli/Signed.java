package dev.carillon.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A signer of certificates, and those it has signed; made by the JDK's own tool. */
final class Signed {
  private static final String PASSWORD = "changeit";

  private final Path folder;
  private final String signer;

  /** Make a signer; its certificate is the file {@code NAME.pem}. */
  Signed(Path folder, String signer) throws Exception {
    this.folder = folder;
    this.signer = signer;
    keytool("-genkeypair", signer, "-keyalg", "EC", "-dname", "CN=" + signer, "-ext", "bc:c");
    keytool("-exportcert", signer, "-rfc", "-file", file(signer, ".pem").toString());
  }

  /** Return the certificate of the signer. */
  Path ca() {
    return file(signer, ".pem");
  }

  /** Make somebody with a certificate for {@code alternatives}: {@code NAME.pem}, {@code .key}. */
  void sign(String name, String alternatives) throws Exception {
    keytool("-genkeypair", name, "-keyalg", "EC", "-dname", "CN=" + name);
    keytool("-certreq", name, "-file", file(name, ".csr").toString());
    keytool(
        "-gencert",
        signer,
        "-rfc",
        "-ext",
        "SAN=" + alternatives,
        "-infile",
        file(name, ".csr").toString(),
        "-outfile",
        file(name, ".pem").toString());
    KeyStore store = KeyStore.getInstance(file(name, ".p12").toFile(), PASSWORD.toCharArray());
    byte[] key = store.getKey(name, PASSWORD.toCharArray()).getEncoded();
    Files.writeString(
        file(name, ".key"),
        "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
            .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)));
  }

  Path certificate(String name) {
    return file(name, ".pem");
  }

  Path key(String name) {
    return file(name, ".key");
  }

  private Path file(String name, String ending) {
    return folder.resolve(name + ending);
  }

  private void keytool(String action, String who, String... more) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(List.of(action, "-alias", who, "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass", PASSWORD, "-keystore", file(who, ".p12").toString()));
    command.addAll(List.of(more));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
  }
}
