package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The server has no regular expressions but over what the operator, this machine or this program
 * wrote: time could grow faster than the length of what a client sent.
 */
class RegularExpressionsTest {
  private static final Pattern USE =
      Pattern.compile(
          "java\\.util\\.regex|\\w*(?:\\.|::)(?:matches|replaceAll|replaceFirst)\\b"
              + "|(?:\\.|::)split\\b(?!\\(\\s*\"(?:[^\"\\\\.$|()\\[{^?*+]|\\\\t|\\\\n)\",)");

  /* Methods of ours that are called the same. */
  private static final Set<String> OTHERS =
      Set.of("EveryParser.matches", "timing.matches", "timing::matches");

  /* They read settings, files of the operator, names of this machine and of partitions, names and
   * SQL of ours. */
  private static final Set<String> HARMLESS =
      Set.of(
          "DatabaseUrl.java",
          "Pem.java",
          "KeyRing.java",
          "NodeName.java",
          "Migration.java",
          "Restore.java",
          "HistoryStore.java",
          "DefinitionField.java",
          "TransactionControl.java");

  @Test
  void no_regular_expression_reads_what_clients_send() {
    List<String> uses =
        Stream.of("carillon-server", "carillon-targets", "carillon-core", "carillon-time")
            .flatMap(module -> sources(Path.of("..", module, "src/main/java")))
            .filter(file -> !HARMLESS.contains(file.getFileName().toString()))
            .flatMap(file -> uses(read(file)).map(use -> file.getFileName() + ": " + use))
            .toList();

    assertThat(uses).isEmpty();
  }

  @Test
  void every_way_to_use_one_is_seen() {
    assertThat(
            List.of(
                "import java.util.regex.Pattern;",
                "text.matches(\"[0-9]\")",
                "text.matches(PREFIX + \"[0-9]{1,\" + MAX + \"}\")",
                "text\n        .matches(digits)",
                "name.replaceAll(control, \" \")",
                "name.replaceFirst(\"a\", \"b\")",
                "names.filter(name::matches)",
                "line.split(separator)",
                "line.split(\", \", 2)",
                "line.split(\".\", 2)",
                "line.split(\"\\\\s\", -1)",
                "lines.map(line::split)"))
        .allSatisfy(code -> assertThat(uses(code)).hasSize(1));
    assertThat(
            List.of(
                "list.split(\",\", -1)",
                "line.split(\"\\t\", 2)",
                "EveryParser.matches(text)",
                "text.replace(\"a\", \"b\")"))
        .allSatisfy(code -> assertThat(uses(code)).isEmpty());
  }

  @Test
  void the_log_is_written_without_regular_expressions() throws IOException {
    assertThat(Files.readString(Path.of("src/main/resources/logback.xml")))
        .doesNotContain("%replace", "%rEx", "EvaluatorFilter");
  }

  private static Stream<String> uses(String code) {
    return USE.matcher(code).results().map(MatchResult::group).filter(use -> !OTHERS.contains(use));
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
