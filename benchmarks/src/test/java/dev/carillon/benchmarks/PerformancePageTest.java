package dev.carillon.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The figures of the performance page are those of the tables. A comment at the end of a paragraph
 * names the suite and how the lines of its section begin that hold the figures: {@code <!-- drain:
 * | Carillon |; | Quartz -->}.
 */
class PerformancePageTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Pattern PARAGRAPH = Pattern.compile("\n(?:\n|(?=- ))");
  private static final Pattern SOURCE = Pattern.compile("<!-- (\\w+): (.+?) -->");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])\\d+(?:,\\d{3})*(?:\\.\\d+)*(?!\\w)");

  record Quote(String text, String suite, List<String> beginnings) {
    List<String> lines() {
      return section(suite)
          .lines()
          .filter(line -> beginnings.stream().anyMatch(line::startsWith))
          .toList();
    }

    @Override
    public String toString() {
      return text.strip().lines().findFirst().orElse("");
    }
  }

  static List<Quote> quotes() {
    return paragraphs()
        .filter(text -> SOURCE.matcher(text).find())
        .map(text -> quote(text))
        .toList();
  }

  @Test
  void every_item_with_a_number_names_its_source() {
    assertThat(paragraphs())
        .filteredOn(text -> text.startsWith("- ") && NUMBER.matcher(text).find())
        .hasSizeGreaterThan(9)
        .allMatch(text -> SOURCE.matcher(text).find());
  }

  @ParameterizedTest
  @MethodSource("quotes")
  void a_figure_is_one_of_the_tables(Quote quote) {
    assertThat(numbers(String.join("\n", quote.lines()))).containsAll(numbers(quote.text()));
  }

  @ParameterizedTest
  @MethodSource("quotes")
  void each_line_that_is_named_exists(Quote quote) {
    assertThat(quote.beginnings())
        .allMatch(beginning -> quote.lines().stream().anyMatch(line -> line.startsWith(beginning)));
  }

  @ParameterizedTest
  @MethodSource("quotes")
  void a_figure_was_measured_with_committed_code(Quote quote) {
    assertThat(section(quote.suite())).contains("\nMeasured ").doesNotContain("-dirty");
  }

  private static Stream<String> paragraphs() {
    return Arrays.stream(PARAGRAPH.split(read("performance.md"), -1));
  }

  private static Quote quote(String paragraph) {
    MatchResult source = SOURCE.matcher(paragraph).results().findFirst().orElseThrow();
    return new Quote(
        SOURCE.matcher(paragraph).replaceAll(""),
        source.group(1),
        List.of(source.group(2).split("; ", -1)));
  }

  private static String section(String suite) {
    String page = read("reference/benchmarks.md");
    Section section = Section.called(suite);
    return page.substring(page.indexOf(section.begin()), page.indexOf(section.end()));
  }

  private static Set<String> numbers(String text) {
    return NUMBER.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  private static String read(String file) {
    try {
      return Files.readString(DOCS.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
