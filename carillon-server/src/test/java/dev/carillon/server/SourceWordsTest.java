package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.policy.CatchUp;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page that leads from the words of the documents to ours: complete, and true. */
@ExtendWith(EmbeddedPostgres.class)
class SourceWordsTest {
  private static final Pattern WORD = Pattern.compile("`([^`]+)`");
  private static final Pattern QUOTED = Pattern.compile("'([A-Za-z_]+)'");
  private static final Pattern SETTING = Pattern.compile("setting `([^`]+)`");
  private static final Pattern ROUTE = Pattern.compile("`([A-Z]+) (/[^`?]*)[^`]*`");
  private static final Pattern FIELD = Pattern.compile("[a-z][A-Za-z]*(\\.[a-z][A-Za-z]*)*");

  private final String page = read();

  private static String read() {
    try {
      return Files.readString(Path.of("../docs/reference/source-words.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1)).toList();
  }

  private List<String> cells(int column) {
    return page.lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| there"))
        .map(line -> line.split(" \\| ", -1)[column])
        .toList();
  }

  @Test
  void every_field_of_the_tables_and_examples_is_on_the_page() {
    Set<String> there = new TreeSet<>();
    cells(0).forEach(cell -> there.addAll(found(WORD, cell)));
    Stream<String> columns =
        Stream.of(
                "schedules-table.txt",
                "schedule-runs-table.txt",
                "cron-job-definitions-table.txt",
                "cron-job-runs-table.txt")
            .flatMap(table -> SourceText.columns(table).stream());
    Stream<String> platform =
        Stream.of("cron-job-definitions-table.txt", "cron-job-runs-table.txt")
            .flatMap(table -> SourceText.columns(table).stream())
            .map(SourceText::camelCase);
    Stream<String> input =
        SourceText.names("upsert-input.txt").stream().map(name -> name.replace("?", ""));
    Stream<String> examples =
        Stream.of("cron-job-recurring.json", "cron-job-one-time.json")
            .flatMap(example -> Answer.parse(SourceText.of(example)).properties().stream())
            .map(field -> field.getKey());

    assertThat(there)
        .containsAll(
            Stream.of(columns, platform, input, examples).flatMap(names -> names).toList());
  }

  @Test
  void every_word_for_a_state_or_a_policy_in_the_tables_is_on_the_page() {
    List<String> words =
        Stream.of(
                "schedules-table.txt",
                "schedule-runs-table.txt",
                "cron-job-definitions-table.txt",
                "cron-job-runs-table.txt")
            .flatMap(table -> SourceText.of(table).lines())
            .flatMap(SourceWordsTest::words)
            .toList();

    assertThat(words).contains("ENQUEUED", "fire_immediately", "ad_hoc");
    assertThat(words).allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
  }

  /* One document writes them in quotes, the other behind the word enum. */
  private static Stream<String> words(String row) {
    int list = row.indexOf("enum (");
    return Stream.concat(
        found(QUOTED, row).stream(),
        list < 0 ? Stream.empty() : found(WORD, row.substring(list)).stream());
  }

  @Test
  void every_setting_it_leads_to_exists() {
    List<String> settings = Arrays.stream(Setting.values()).map(Setting::spelling).toList();

    assertThat(found(SETTING, page)).hasSizeGreaterThan(10).isSubsetOf(settings);
  }

  @Test
  void every_route_and_field_it_leads_to_exists(DataSource source) {
    try (var site = new Site(source)) {
      List<String> routes = site.routes.stream().map(Object::toString).toList();
      JsonNode document =
          site.send(site.as(Role.VIEWER, Request.of("GET", "/openapi.json"))).json();
      Set<String> known = new TreeSet<>(ContractText.words(CatchUp.Mode.class));
      collect(document.get("components"), known);
      var named = new ArrayList<String>();
      cells(1)
          .forEach(
              cell ->
                  found(WORD, cell.replaceAll("setting `[^`]+`", "")).stream()
                      .filter(word -> FIELD.matcher(word).matches())
                      .forEach(word -> named.addAll(List.of(word.split("\\.")))));

      assertThat(ROUTE.matcher(page).results().map(route -> route.group(1) + " " + route.group(2)))
          .hasSizeGreaterThan(20)
          .allSatisfy(route -> assertThat(routes).contains(route));
      assertThat(named).hasSizeGreaterThan(80).isSubsetOf(known);
    }
  }

  /** Collect the names of all fields, and the words they may have. */
  private static void collect(JsonNode node, Set<String> known) {
    node.properties().forEach(field -> known.add(field.getKey()));
    node.path("enum").forEach(word -> known.add(word.asText()));
    node.forEach(inner -> collect(inner, known));
  }
}
