package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CONSOLE =
      Pattern.compile("```console\\n\\$ (?:\\./)?carillon (cron .*?)\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  record Example(Path page, String command, String output) {}

  static List<Example> examples() throws IOException {
    var examples = new ArrayList<Example>();
    try (var pages = Files.walk(ROOT.resolve("docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        addExamples(page, examples);
      }
    }
    addExamples(ROOT.resolve("README.md"), examples);
    assertThat(examples).hasSizeGreaterThan(4);
    return examples;
  }

  private static void addExamples(Path page, List<Example> examples) throws IOException {
    for (MatchResult block : CONSOLE.matcher(Files.readString(page)).results().toList()) {
      examples.add(new Example(page, block.group(1), block.group(2)));
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void a_command_in_the_documentation_prints_what_is_shown_there(Example example) {
    String[] words =
        WORD.matcher(example.command())
            .results()
            .map(word -> word.group(1) != null ? word.group(1) : word.group(2))
            .toArray(String[]::new);

    Answer answer = Answer.to(words);

    assertThat(answer.out() + answer.err()).isEqualTo(example.output());
  }
}
