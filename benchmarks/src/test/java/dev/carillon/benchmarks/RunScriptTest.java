package dev.carillon.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code benchmarks/run} agrees to measure; the build it would start first fails here. */
class RunScriptTest {
  private static final String BUILD_STARTED = "the build was started";

  @TempDir private Path tree;

  private record Answer(int status, String text) {}

  @BeforeEach
  void copy() throws Exception {
    Path script = tree.resolve("benchmarks/run");
    write("benchmarks/run", Files.readString(Path.of("run")));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    write("bin/mvn", "#!/bin/sh\necho " + BUILD_STARTED + "\nexit 3\n");
    assertThat(tree.resolve("bin/mvn").toFile().setExecutable(true)).isTrue();
    write("Code.java", "class Code {}");
    write("docs/reference/benchmarks.md", "# Benchmarks");
    write("docs/performance.md", "# Performance");
    git("init", "--quiet");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "Code");
  }

  @Test
  void committed_code_is_measured_for_the_page() throws Exception {
    assertThat(run("drain")).isEqualTo(new Answer(3, BUILD_STARTED + "\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"drain", "cron", "all", "cron --report", "soak 10"})
  void code_with_changes_is_not_measured_for_the_page(String options) throws Exception {
    write("Code.java", "class Code { /* changed */ }");

    Answer answer = run(options);

    assertThat(answer.status()).isEqualTo(1);
    assertThat(answer.text())
        .contains("figures of committed code only", "-dirty", " M Code.java")
        .contains("Commit or stash the changes.", "--quick", "--only carillon")
        .doesNotContain(BUILD_STARTED);
  }

  @Test
  void a_new_file_is_a_change() throws Exception {
    write("More.java", "class More {}");

    assertThat(run("drift").text()).contains("?? More.java").doesNotContain(BUILD_STARTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drain --quick",
        "cron --quick",
        "drain --only carillon",
        "drift --only carillon --quick"
      })
  void what_is_only_printed_may_have_changes(String options) throws Exception {
    write("Code.java", "class Code { /* changed */ }");

    assertThat(run(options)).isEqualTo(new Answer(3, BUILD_STARTED + "\n"));
  }

  @Test
  void what_an_earlier_run_wrote_is_no_change() throws Exception {
    write("docs/reference/benchmarks.md", "# Benchmarks, measured");
    write("docs/performance.md", "# Performance, measured");

    assertThat(run("drain").text()).isEqualTo(BUILD_STARTED + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "drum",
        "drain --only quartz",
        "cron --only carillon",
        "drain --report",
        "drain 10"
      })
  void other_options_print_the_usage(String options) throws Exception {
    Answer answer = run(options);

    assertThat(answer.status()).isEqualTo(2);
    assertThat(answer.text()).startsWith("Measures Carillon").endsWith("CARILLON_JAVA_HOME.\n");
  }

  private Answer run(String options) throws Exception {
    return execute(
        Stream.concat(
                Stream.of(tree.resolve("benchmarks/run").toString()),
                Stream.of(options.split(" ")).filter(option -> !option.isEmpty()))
            .toList());
  }

  private void git(String... arguments) throws Exception {
    Answer answer = execute(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList());
    assertThat(answer.status()).as(answer.text()).isZero();
  }

  private Answer execute(List<String> command) throws Exception {
    var builder = new ProcessBuilder(command).directory(tree.toFile()).redirectErrorStream(true);
    builder.environment().merge("PATH", tree.resolve("bin") + ":", (path, bin) -> bin + path);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text);
  }

  private void write(String file, String text) throws IOException {
    Path path = tree.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
