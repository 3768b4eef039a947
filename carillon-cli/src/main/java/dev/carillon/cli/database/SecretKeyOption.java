package dev.carillon.cli.database;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which keys secrets are encrypted with. */
final class SecretKeyOption {
  @Option(
      names = "--secret-key-file",
      paramLabel = "FILE",
      description =
          "File with the keys; without, those of CARILLON_SECRET_KEY, or of the embedded"
              + " PostgreSQL the file secret-keys in its folder.")
  private @Nullable String file;

  Map<String, String> flags() {
    return file == null ? Map.of() : Map.of("secret-key-file", file);
  }
}
