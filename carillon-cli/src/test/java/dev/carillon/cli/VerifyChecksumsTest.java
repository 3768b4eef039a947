package dev.carillon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/verify-checksums} on local repositories that hold nothing, and something else. */
class VerifyChecksumsTest {
  @TempDir Path repository;

  @Test
  void a_repository_with_nothing_to_compare_is_not_called_as_expected() throws Exception {
    assertThat(verify(repository, 0))
        .startsWith("nothing was compared: none of ")
        .endsWith(" plugins and libraries is in " + repository + "\n");

    Path missing = repository.resolve("missing");
    assertThat(verify(missing, 0, "--unlisted")).startsWith("nothing was compared: none of ");
  }

  @Test
  void a_file_that_differs_is_named() throws Exception {
    String listed =
        Files.readAllLines(Path.of("../.mvn/checksums/checksums.sha256")).get(0).split(" +", 2)[1];
    Path file = repository.resolve(listed);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "another");

    assertThat(verify(repository, 1)).contains(listed, "do not use them");
  }

  private static String verify(Path repository, int code, String... options) throws Exception {
    var command = new ArrayList<>(List.of("bash", "../.ci/verify-checksums"));
    command.addAll(List.of(options));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("MAVEN_REPOSITORY", repository.toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(code);
    return said;
  }
}
