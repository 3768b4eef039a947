package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuideSnippetsTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void every_java_snippet_of_the_guide_is_code_that_a_test_runs() throws IOException {
    String guide = Files.readString(Path.of("../docs/guide/time.md"));
    String code = Files.readString(Path.of("src/test/java/dev/carillon/time/TimeGuideTest.java"));

    var snippets = JAVA_BLOCK.matcher(guide).results().map(match -> match.group(1)).toList();

    assertThat(snippets).hasSizeGreaterThan(3);
    assertThat(snippets).allSatisfy(snippet -> assertThat(flat(code)).contains(flat(snippet)));
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }
}
