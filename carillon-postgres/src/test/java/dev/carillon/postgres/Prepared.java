package dev.carillon.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A data folder after its first start, copied because creating a durable one takes seconds. */
final class Prepared {
  private static final Path ORIGINAL = create();

  private Prepared() {}

  /** Fill {@code folder}, which exists, with the prepared data. */
  static void in(Path folder) {
    Command.of("cp", "-a", ORIGINAL + "/.", folder.toString()).run();
  }

  private static Path create() {
    try {
      Path parent = Files.createTempDirectory("carillon-prepared-");
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> Command.of("rm", "-rf", parent.toString()).run(), "clean-up"));
      Path folder = parent.resolve("data");
      LocalPostgres.start(folder, "a test", step -> {}).close();
      return folder;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
