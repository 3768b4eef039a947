package dev.carillon.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A certificate authority, made by the JDK's own tool. */
final class Authority {
  private final Path folder;
  private final String name;

  Authority(Path folder, String name) throws IOException, InterruptedException {
    this.folder = folder;
    this.name = name;
    pair(store(), name, "bc:c");
    keytool(store(), "-exportcert", "-rfc", "-alias", name, "-file", certificate().toString());
  }

  private Path store() {
    return folder.resolve(name + ".p12");
  }

  /** Return its own certificate, in PEM. */
  Path certificate() {
    return folder.resolve(name + ".pem");
  }

  /** Sign a certificate for {@code holder}. */
  Certified sign(String holder) throws Exception {
    Path store = folder.resolve(name + "-" + holder + ".p12");
    String request = folder.resolve(name + "-" + holder + ".csr").toString();
    String signed = folder.resolve(name + "-" + holder + ".crt").toString();
    pair(store, holder, "SAN=DNS:" + holder);
    keytool(store, "-certreq", "-alias", holder, "-file", request);
    keytool(
        store(),
        List.of("-gencert", "-rfc", "-alias", name, "-infile", request, "-outfile", signed),
        List.of("-ext", "SAN=DNS:" + holder, "-validity", "2"));
    keytool(store, "-importcert", "-noprompt", "-alias", name, "-file", certificate().toString());
    keytool(store, "-importcert", "-noprompt", "-alias", holder, "-file", signed);
    return new Certified(folder, holder, store);
  }

  /** Make a key pair with a certificate that it signs itself. */
  static void pair(Path store, String name, String extension)
      throws IOException, InterruptedException {
    keytool(
        store,
        List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname", "secp256r1"),
        List.of("-dname", "CN=" + name + ", O=Example", "-ext", extension, "-validity", "2"));
  }

  private static void keytool(Path store, String... words)
      throws IOException, InterruptedException {
    keytool(store, List.of(words), List.of());
  }

  private static void keytool(Path store, List<String> words, List<String> more)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(words);
    command.addAll(more);
    command.addAll(
        List.of("-storetype", "PKCS12", "-storepass", "changeit", "-keystore", store.toString()));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
  }
}
