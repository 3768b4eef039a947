package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemKindTest {
  private static final Path PAGES = Path.of("../docs/problems");

  @ParameterizedTest
  @EnumSource(ProblemKind.class)
  void every_problem_has_a_page_with_its_title_and_status(ProblemKind kind) throws IOException {
    assertThat(kind.type()).isEqualTo("/docs/problems/" + kind.code());
    assertThat(Files.readString(PAGES.resolve(kind.code() + ".md")))
        .startsWith("# %s\n\n`%s` · HTTP %s\n".formatted(kind.title(), kind.code(), kind.status()))
        .contains("**What to do.**");
  }

  @Test
  void every_page_is_about_a_problem() throws IOException {
    try (var pages = Files.list(PAGES)) {
      assertThat(pages.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(ProblemKind.values()).map(kind -> kind.code() + ".md").toList());
    }
  }
}
