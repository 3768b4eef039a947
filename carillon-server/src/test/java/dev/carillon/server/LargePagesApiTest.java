package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lists of large things come in pages of at most 4 MiB, and without payloads unless asked for. */
@ExtendWith(EmbeddedPostgres.class)
class LargePagesApiTest {
  private static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final int MANY = 20;

  private final Site site;
  private final String word = "large-" + Long.toHexString(System.nanoTime());

  LargePagesApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static String large(int i) {
    return "{\"text\": \"%s\", \"i\": %s}".formatted("é".repeat(128 * 1024 - 100), i);
  }

  private void define(String key, int i) {
    assertThat(
            site.put(
                    "/schedules/" + key,
                    """
                    {"target": "noop", "timing": {"every": "PT1H"}, "tags": ["%s"], "payload": %s}
                    """
                        .formatted(word, large(i)))
                .status())
        .isBetween(200, 201);
  }

  private List<JsonNode> all(String path) {
    var items = new ArrayList<JsonNode>();
    String cursor = "";
    do {
      Answer page = site.get(path + cursor);
      assertThat(page.status()).as(page.text()).isEqualTo(200);
      assertThat(page.text().getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(MAX_BYTES);
      page.json().at("/items").forEach(items::add);
      cursor = page.json().at("/nextCursor").isNull() ? "" : "&cursor=" + page.at("/nextCursor");
    } while (!cursor.isEmpty());
    return items;
  }

  private void assertListed(String path, String name) {
    List<JsonNode> plain = all(path);
    assertThat(plain).hasSize(MANY).noneMatch(item -> item.has("payload"));
    List<JsonNode> whole = all(path + "&include=payload");
    assertThat(whole.stream().map(item -> item.path(name).asText()).distinct()).hasSize(MANY);
    assertThat(whole.stream().map(item -> item.at("/payload/i").asInt()).distinct()).hasSize(MANY);
    assertThat(site.get(path + "&include=payload").json().at("/nextCursor").isNull()).isFalse();
    assertThat(site.get(path).json().at("/nextCursor").isNull()).isTrue();
  }

  @Test
  void schedules_are_listed_without_payloads_or_in_pages_of_bounded_size() {
    for (int i = 0; i < MANY; i++) {
      define(word + "-" + i, i);
    }

    assertListed("/schedules?limit=500&tag=" + word, "key");
    assertListed("/schedules?limit=500&q=" + word, "key");
    assertListed("/schedules?limit=500&payload=%7B%7D&tag=" + word, "key");
    assertThat(site.get("/schedules/" + word + "-3").at("/payload/i")).isEqualTo("3");
  }

  @Test
  void versions_are_listed_without_payloads_or_in_pages_of_bounded_size() {
    for (int i = 0; i < MANY; i++) {
      define(word, i);
    }

    assertListed("/schedules/" + word + "/versions?limit=500", "version");
    assertThat(all("/schedules/" + word + "/versions?limit=3"))
        .extracting(version -> version.path("version").asInt())
        .startsWith(20, 19, 18, 17)
        .endsWith(2, 1);
    assertThat(site.get("/schedules/" + word + "/versions/4").at("/payload/i")).isEqualTo("3");
  }

  @Test
  void runs_and_dead_letters_are_listed_without_payloads_or_in_pages_of_bounded_size() {
    var ids = new ArrayList<String>();
    for (int i = 0; i < MANY; i++) {
      ids.add(
          site.post(
                  "/runs",
                  "{\"target\": \"fail\", \"correlation\": \"%s\", \"payload\": %s}"
                      .formatted(word, large(i)))
              .at("/id"));
    }
    site.carillon.runDue();

    assertListed("/runs?limit=500&correlation=" + word, "id");
    assertListed("/runs?limit=500&q=" + word, "id");
    assertListed("/dead-letters?limit=500&correlation=" + word, "id");
    assertThat(all("/runs?limit=500&correlation=%s&payload=%%7B%%22i%%22:7%%7D".formatted(word)))
        .singleElement()
        .matches(run -> run.path("id").asText().equals(ids.get(7)) && !run.has("payload"));
    assertThat(site.get("/runs/" + ids.get(3)).at("/payload/i")).isEqualTo("3");
    assertThat(
            site.post(
                    "/dead-letters/dismiss",
                    "{\"filter\": {\"correlation\": \"%s\"}, \"reason\": \"large\", \"expect\": 20}"
                        .formatted(word))
                .at("/dismissed"))
        .isEqualTo("20");
  }

  @Test
  void versions_of_a_cron_job_are_listed_in_pages_of_bounded_size() {
    for (int i = 0; i < MANY; i++) {
      define(word, i);
    }
    String jobs = "/api/v2/admin/cron/jobs?limit=500&jobKey=" + word;
    var versions = new ArrayList<Integer>();
    String cursor = "";
    do {
      Answer page = site.sendTo("GET", jobs + cursor, "");
      assertThat(page.text().getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(MAX_BYTES);
      page.json().at("/items").forEach(job -> versions.add(job.path("version").asInt()));
      cursor = page.json().at("/nextCursor").isNull() ? "" : "&cursor=" + page.at("/nextCursor");
    } while (!cursor.isEmpty());

    assertThat(versions).hasSize(MANY).doesNotHaveDuplicates();
    assertThat(site.sendTo("GET", jobs + "&status=active", "").json().at("/items")).hasSize(1);
  }

  @Test
  void tokens_are_listed_in_pages_of_bounded_size() {
    var ids = new ArrayList<String>();
    for (int i = 0; i < 3 * MANY; i++) {
      String values =
          IntStream.range(0, 100)
              .mapToObj(value -> "\"%s%s\"".formatted("é".repeat(190), value))
              .collect(Collectors.joining(","));
      Answer made =
          site.post(
              "/tokens",
              """
              {"name": "%s", "roles": ["viewer"], "scope": {"targets": [%s], "tags": [%s], "keys": [%s]}}
              """
                  .formatted(word, values, values, values));
      ids.add(made.at("/id"));
    }

    assertThat(all("/tokens?limit=500"))
        .extracting(token -> token.path("id").asText())
        .containsAll(ids)
        .doesNotHaveDuplicates();
  }

  @Test
  void a_worker_is_given_a_page_of_large_runs_at_a_time() {
    site.put("/targets/" + word, "{\"type\": \"worker\"}");
    for (int i = 0; i < MANY; i++) {
      site.post("/runs", "{\"target\": \"%s\", \"payload\": %s}".formatted(word, large(i)));
    }
    String claim = "{\"worker\": \"anna\", \"targets\": [\"%s\"], \"max\": 100}".formatted(word);

    Answer first = site.post("/workers/claim", claim);
    assertThat(first.text().getBytes(StandardCharsets.UTF_8).length).isLessThan(2 * MAX_BYTES);
    int given = first.json().at("/runs").size();
    assertThat(given).isBetween(1, MANY - 1);
    assertThat(site.post("/workers/claim", claim).json().at("/runs")).hasSize(MANY - given);
  }

  @Test
  void what_cannot_be_included_is_refused() {
    Answer answer = site.get("/schedules?include=secrets");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("/errors/0/parameter")).isEqualTo("include");
  }
}
