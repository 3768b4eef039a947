package dev.carillon.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the pages to the code they quote, the pages they point to and the tests they name. */
class DocumentationTest {
  private static final Path ROOT = Path.of("..");

  /* Has a test of its own, beside the code it is about. */
  private static final Path TIME_GUIDE = ROOT.resolve("docs/guide/time.md");

  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- from (\\S+) -->\n)?```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern TEST_NAME =
      Pattern.compile("`(\\w+(?:Test|IT|Properties))(?:\\.\\w+)?`");

  /* A quoted piece of code, and the file it says it is from; empty if it says none. */
  record Quote(Path page, String file, String code) {
    @Override
    public String toString() {
      return page + ": " + code.lines().findFirst().orElse("");
    }
  }

  static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
                  .map(ROOT::resolve),
              docs.filter(file -> file.toString().endsWith(".md")).sorted())
          .toList();
    }
  }

  static List<Quote> quotes() throws IOException {
    var quotes = new ArrayList<Quote>();
    for (Path page : pages()) {
      for (MatchResult block : BLOCK.matcher(Files.readString(page)).results().toList()) {
        String file = block.group(1) == null ? "" : block.group(1);
        if (!page.equals(TIME_GUIDE)) {
          quotes.add(new Quote(page, file, block.group(2)));
        }
      }
    }
    assertThat(quotes).hasSizeGreaterThan(10);
    return quotes;
  }

  @ParameterizedTest
  @MethodSource("quotes")
  void code_in_the_documentation_is_a_piece_of_a_file_that_a_test_runs(Quote quote)
      throws IOException {
    assertThat(quote.file()).as("the line above the code: <!-- from FILE -->").isNotEmpty();

    assertThat(pieces(ROOT.resolve(quote.file()), quote.code().lines().toList().size()))
        .contains(dedented(quote.code()));
  }

  /** Return every stretch of {@code length} lines of a file, moved to the left margin. */
  private static List<String> pieces(Path file, int length) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return IntStream.rangeClosed(0, lines.size() - length)
        .mapToObj(first -> String.join("\n", lines.subList(first, first + length)) + "\n")
        .map(DocumentationTest::dedented)
        .toList();
  }

  /* Not stripIndent alone: the last, empty line of a text counts for it as one without indent. */
  private static String dedented(String text) {
    return text.stripTrailing().stripIndent() + "\n";
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_link_to_another_file_leads_to_one(Path page) throws IOException {
    List<Path> missing =
        LINK.matcher(Files.readString(page))
            .results()
            .map(link -> link.group(1))
            .filter(link -> !link.contains("://"))
            .map(link -> page.resolveSibling(link))
            .filter(file -> !Files.exists(file))
            .toList();

    assertThat(missing).isEmpty();
  }

  @Test
  void a_test_that_shows_a_guarantee_exists() throws IOException {
    List<String> named =
        TEST_NAME
            .matcher(Files.readString(ROOT.resolve("docs/guarantees.md")))
            .results()
            .map(name -> name.group(1) + ".java")
            .distinct()
            .toList();
    List<String> existing;
    try (Stream<Path> files = Files.walk(ROOT, 12)) {
      existing =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .toList();
    }

    assertThat(named).hasSizeGreaterThan(5);
    assertThat(existing).containsAll(named);
  }

  @Test
  void every_decision_is_in_the_index() throws IOException {
    Path folder = ROOT.resolve("docs/adr");
    List<String> listed =
        LINK.matcher(Files.readString(folder.resolve("README.md")))
            .results()
            .map(link -> link.group(1))
            .toList();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.matches("\\d{4}-.*"))
          .isNotEmpty()
          .allMatch(listed::contains, "is in the index");
    }
  }

  @Test
  void the_readme_is_short() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(150);
  }
}
