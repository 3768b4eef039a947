package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The reference says what the code does. */
@ExtendWith(EmbeddedPostgres.class)
class ReferenceTest {
  private static final Path REFERENCE = Path.of("../docs/reference");

  @Test
  void every_route_is_documented_with_its_role_and_no_other(DataSource source) throws IOException {
    try (var site = new Site(source)) {
      List<String> documented = rows("rest.md", "\\| `([A-Z]+ [^`]+)` \\| ([a-z]+) \\|", "$1 $2");

      assertThat(documented)
          .containsExactlyInAnyOrderElementsOf(
              site.routes.stream().map(route -> route + " " + route.role().word()).toList());
    }
  }

  @Test
  void the_schedule_shown_is_accepted_and_comes_back_so(DataSource source) throws IOException {
    String page = Files.readString(REFERENCE.resolve("rest.md"));
    String shown =
        page.substring(page.indexOf("```json\n") + 8, page.lastIndexOf("```"))
            .replace("send-report", "noop")
            .replace("page-someone", "noop");
    try (var site = new Site(source)) {
      Answer stored = site.put("/schedules/shown", shown);

      assertThat(stored.status()).isEqualTo(201);
      Answer.parse(shown)
          .properties()
          .forEach(
              field ->
                  assertThat(stored.json().get(field.getKey()))
                      .as(field.getKey())
                      .isEqualTo(field.getValue()));
    }
  }

  @Test
  void every_setting_is_documented_and_no_other() throws IOException {
    assertThat(rows("configuration.md", "^\\| `([a-z-]+)` \\|", "$1"))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Setting.values()).map(Setting::spelling).toList());
  }

  private static List<String> rows(String page, String row, String text) throws IOException {
    Pattern pattern = Pattern.compile(row, Pattern.MULTILINE);
    return pattern
        .matcher(Files.readString(REFERENCE.resolve(page)))
        .results()
        .map(found -> pattern.matcher(found.group()).replaceFirst(text))
        .toList();
  }
}
