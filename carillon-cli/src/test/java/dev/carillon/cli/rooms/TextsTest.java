package dev.carillon.cli.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TextsTest {
  /** A number formatted as the locale has it: in Cairo, port 8080 would be ٨٠٨٠. */
  private static final Pattern LOCAL_NUMBER =
      Pattern.compile("%[0-9.,]*[df][^\\n]*\"\\s*(\\+\\s*\"[^\\n]*\"\\s*)*\\.formatted\\(");

  @Test
  void numbers_in_texts_do_not_depend_on_the_locale() throws IOException {
    List<Path> sources;
    try (var files = Files.walk(Path.of(".."))) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> file.toString().contains("/src/main/"))
              .toList();
    }

    assertThat(sources).hasSizeGreaterThan(50);
    assertThat(sources)
        .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContainPattern(LOCAL_NUMBER));
    assertThat("\"port %d\"\n    .formatted(port)").containsPattern(LOCAL_NUMBER);
  }
}
