package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tries the launcher script: on the real jar, and in a checkout made up to have odd Javas. */
class LauncherIT {
  private static final Path SCRIPT = Path.of("../carillon").toAbsolutePath().normalize();

  @TempDir Path checkout;

  @BeforeEach
  void copyTheScript() throws IOException {
    Files.copy(SCRIPT, checkout.resolve("carillon"));
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
  }

  @Test
  void it_runs_the_real_jar_from_anywhere() throws Exception {
    Path link = Files.createSymbolicLink(checkout.resolve("link"), SCRIPT);

    Outcome outcome = run(link, Map.of(), "cron", "0 0 * * *", "--from", "2027-01-01", "-n", "1");

    Files.delete(link);
    assertThat(outcome.text()).contains("Fri 2027-01-01 00:00 +00:00  2027-01-01T00:00:00Z");
    assertThat(outcome.code()).isZero();
  }

  @Test
  void an_answer_that_cannot_be_written_is_no_success() throws Exception {
    Path script = checkout.resolve("to-a-full-disk");
    Files.writeString(script, "exec '" + SCRIPT + "' cron @daily >/dev/full\n");

    assertThat(run(script, Map.of()).code()).isEqualTo(1);
  }

  @Test
  void it_passes_arguments_and_exit_codes_on_as_they_are() throws Exception {
    builtAlready();
    Path java = java("java-17", "17.0.1", "for word; do echo \"<$word>\"; done; exit 7");

    Outcome outcome =
        run(script(), Map.of("CARILLON_JAVA_HOME", java.toString()), "cron", "a b", "*", "");

    assertThat(outcome.text()).endsWith("<cron>\n<a b>\n<*>\n<>\n");
    assertThat(outcome.code()).isEqualTo(7);
  }

  @Test
  void a_process_without_memory_ends_unless_options_say_otherwise() throws Exception {
    builtAlready();
    Path java = java("java-17", "17.0.1", "");
    Files.writeString(java.resolve("bin/java"), "#!/bin/sh\necho \"$*\"\n");

    Outcome outcome =
        run(
            script(),
            Map.of(
                "CARILLON_JAVA_HOME",
                java.toString(),
                "CARILLON_JAVA_OPTS",
                "-XX:-ExitOnOutOfMemoryError"),
            "serve");

    assertThat(outcome.text())
        .startsWith("-XX:+ExitOnOutOfMemoryError -XX:-ExitOnOutOfMemoryError -jar ");
  }

  @Test
  void it_runs_on_the_newest_java_it_finds() throws Exception {
    builtAlready();
    Path home = checkout.resolve("home/.sdkman/candidates/java");
    Files.createDirectories(home);
    java("home/.sdkman/candidates/java/999", "999.0.1", "echo running on 999");
    java("home/.sdkman/candidates/java/18", "18.0.1", "echo running on 18");
    java("home/.sdkman/candidates/java/8", "1.8.0_402", "echo running on 8");

    Outcome outcome =
        run(script(), Map.of("HOME", checkout.resolve("home").toString()), "--version");

    assertThat(outcome.text()).isEqualTo("running on 999\n");
  }

  @Test
  void a_java_that_is_too_old_is_refused() throws Exception {
    builtAlready();
    Path java = java("java-11", "11.0.2", "echo no");

    Outcome outcome = run(script(), Map.of("CARILLON_JAVA_HOME", java.toString()), "--version");

    assertThat(outcome.text())
        .isEqualTo(
            "carillon: CARILLON_JAVA_HOME, %s, is Java 11; set it to the folder of a JDK 17 or newer\n"
                .formatted(java));
    assertThat(outcome.code()).isEqualTo(1);
  }

  @Test
  void a_build_that_fails_shows_its_errors_and_where_its_log_is() throws Exception {
    Outcome outcome = run(script(), Map.of(), "--version");

    assertThat(outcome.text())
        .contains("carillon: building from source with Java ")
        .contains("carillon: the build failed; all of its output is in ")
        .doesNotContain("[INFO]")
        .doesNotContain("Help 1");
    assertThat(outcome.code()).isEqualTo(1);
  }

  private Path script() {
    return checkout.resolve("carillon");
  }

  private void builtAlready() throws IOException {
    Path jar = checkout.resolve("carillon-cli/target/carillon.jar");
    Files.createDirectories(jar.getParent());
    Files.createFile(jar);
  }

  /** Make a folder that looks like a Java of some version, and does as told when it is run. */
  private Path java(String folder, String version, String body) throws IOException {
    Path home = checkout.resolve(folder);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Path java = home.resolve("bin/java");
    String skipOptions = "while [ \"$1\" != -jar ]; do shift; done; shift 2\n";
    Files.writeString(java, "#!/bin/sh\n" + skipOptions + body + "\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  private record Outcome(int code, String text) {}

  private Outcome run(Path script, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", script.toString()));
    command.addAll(List.of(arguments));
    Path output = checkout.resolve("output");
    var builder =
        new ProcessBuilder(command)
            .directory(checkout.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().remove("CARILLON_JAVA_HOME");
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    assertThat(ended).as("%s ended", command).isTrue();
    return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }
}
