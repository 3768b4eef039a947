package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Regular expressions of the server repeat nothing without a bound, unless they read what the
 * operator or this program wrote: time could grow faster than the length of what a client sent.
 */
class RegularExpressionsTest {
  private static final Pattern USE =
      Pattern.compile(
          "(?:Pattern\\.compile|\\.matches|\\.replaceAll|\\.replaceFirst)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern UNBOUNDED =
      Pattern.compile("(?<!\\\\)[*+](?![^\\[]*\\])|\\{\\d+,\\}");

  /* Read settings, names of this machine, SQL of ours, texts that were cut before, or one class of
   * characters from end to end. */
  private static final Set<String> HARMLESS =
      Set.of(
          "DatabaseUrl.java",
          "Pem.java",
          "NodeName.java",
          "Migration.java",
          "TransactionControl.java",
          "AllowedHost.java",
          "AddressGuard.java",
          "HostText.java",
          "Zones.java",
          "CronDescription.java");

  @Test
  void no_regular_expression_repeats_without_bound_over_what_clients_send() {
    List<String> unbounded =
        Stream.of("carillon-server", "carillon-targets", "carillon-core", "carillon-time")
            .flatMap(module -> sources(Path.of("..", module, "src/main/java")))
            .filter(file -> !HARMLESS.contains(file.getFileName().toString()))
            .flatMap(
                file ->
                    USE.matcher(read(file))
                        .results()
                        .map(found -> found.group(1))
                        .filter(expression -> UNBOUNDED.matcher(expression).find())
                        .map(expression -> file.getFileName() + ": " + expression))
            .toList();

    assertThat(unbounded).isEmpty();
  }

  @Test
  void the_log_is_written_without_regular_expressions() throws IOException {
    assertThat(Files.readString(Path.of("src/main/resources/logback.xml")))
        .doesNotContain("%replace", "%rEx", "EvaluatorFilter");
  }

  private static Stream<Path> sources(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
