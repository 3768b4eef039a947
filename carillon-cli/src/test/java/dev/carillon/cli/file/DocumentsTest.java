package dev.carillon.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.cli.Around;
import dev.carillon.cli.console.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
  @TempDir Path folder;

  @Test
  void a_folder_named_from_the_root_is_read_as_well() throws IOException {
    write("all/one.yaml", "key: a\n");
    Path here = Path.of("");

    List<Document> documents =
        new Documents(Around.in(here).environment()).read(List.of(folder.resolve("all") + "/"));

    assertThat(documents)
        .extracting(Document::source)
        .containsExactly(folder.resolve("all/one.yaml").toString());
  }

  @Test
  void what_is_hidden_or_left_behind_by_tools_is_passed_over() throws IOException {
    write("one.yaml", "key: a\n");
    write("below/two.json", "{\"key\": \"b\"}");
    for (String other :
        List.of(".git/x.yaml", ".hidden.yaml", "target/x.yml", "below/node_modules/p.json")) {
      write(other, "key: other\n");
    }
    write("carillon-data/admin-token", "crl_x\n");
    write("carillon-data/server.json", "{}");

    assertThat(read("."))
        .extracting(Document::source)
        .containsExactly("below/two.json", "one.yaml");
    assertThat(read("target")).extracting(Document::source).containsExactly("target/x.yml");
  }

  @Test
  void a_yaml_file_has_several_documents_and_each_value_has_its_line() throws IOException {
    write(
        "two.yaml",
        """
        # the first
        key: a
        timing:
          cron: 0 2 * * *
        ---
        # only a comment
        ---
        key: b
        tags: [x, y]
        """);

    List<Document> documents = read("two.yaml");

    assertThat(documents)
        .extracting(each -> each.body().path("key").asText())
        .containsExactly("a", "b");
    assertThat(documents.get(0).place("/timing/cron"))
        .isEqualTo("two.yaml:4 (document 1, timing.cron)");
    assertThat(documents.get(1).place("/tags/1")).isEqualTo("two.yaml:9 (document 3, tags.1)");
    assertThat(documents.get(1).place("/retry/attempts"))
        .isEqualTo("two.yaml:8 (document 3, retry.attempts)");
  }

  @Test
  void yaml_means_what_the_json_would() throws IOException {
    write(
        "values.yaml",
        """
        no: no
        on: on
        yes: true
        time: 12:30:00
        day: 2027-03-26
        octal: 010
        hex: 0x1f
        big: 12345678901234567890
        factor: 2.50
        nothing: ~
        text: "2"
        """);

    assertThat(Json.write(read("values.yaml").get(0).body()))
        .isEqualTo(
            "{\"no\":\"no\",\"on\":\"on\",\"yes\":true,\"time\":\"12:30:00\",\"day\":\"2027-03-26\","
                + "\"octal\":10,\"hex\":31,\"big\":12345678901234567890,\"factor\":2.50,"
                + "\"nothing\":null,\"text\":\"2\"}");
  }

  @Test
  void a_json_file_has_values_one_after_the_other_or_in_a_list() throws IOException {
    write("some.json", "{\"key\": \"a\"}\n{\"key\":\n\t\"b\"}");
    write("list.json", "[\n {\"key\": \"c\"},\n {\"key\": \"d\"}\n]");

    List<Document> documents = read("some.json", "list.json");

    assertThat(documents)
        .extracting(each -> each.body().path("key").asText() + " " + each.place("/key"))
        .containsExactly(
            "a some.json:1 (document 1, key)",
            "b some.json:3 (document 2, key)",
            "c list.json:2 (document 1, key)",
            "d list.json:3 (document 2, key)");
  }

  @Test
  void a_folder_is_read_in_the_order_of_names_and_what_is_no_definition_is_left()
      throws IOException {
    Files.createDirectories(folder.resolve("all/deep"));
    write("all/b.yml", "key: b");
    write("all/a.json", "{\"key\": \"a\"}");
    write("all/deep/c.yaml", "key: c");
    write("all/README.md", "not a definition");

    assertThat(read("all"))
        .extracting(Document::source)
        .containsExactly("all/a.json", "all/b.yml", "all/deep/c.yaml");
  }

  @Test
  void stdin_may_be_either() {
    assertThat(readStdin(" {\"key\": \"a\"}").get(0).place()).isEqualTo("stdin:1 (document 1)");
    assertThat(readStdin("key: a").get(0).body().path("key").asText()).isEqualTo("a");
  }

  @Test
  void mistakes_are_told_with_their_line() throws IOException {
    write("bad.yaml", "key: a\n  timing: x\n");
    write("twice.yaml", "key: a\nkey: b\n");
    write("bad.json", "{\n\"key\": a}");
    write("tag.yaml", "key: !!java.net.URL [x]\n");
    write("nan.yaml", "key: .nan\n");

    assertThatThrownBy(() -> read("bad.yaml")).hasMessageStartingWith("bad.yaml:2: not YAML: ");
    assertThatThrownBy(() -> read("twice.yaml"))
        .hasMessageStartingWith("twice.yaml:2: ")
        .hasMessageContaining("key");
    assertThatThrownBy(() -> read("bad.json")).hasMessageStartingWith("bad.json:2: not JSON: ");
    assertThatThrownBy(() -> read("nan.yaml"))
        .hasMessage("nan.yaml:1: '.nan' is no number that JSON has; put it in quotes");
    assertThatThrownBy(() -> read("none.yaml"))
        .hasMessage("none.yaml cannot be read: no such file, or not yours");
    assertThat(read("tag.yaml").get(0).body().path("key").isArray()).isTrue();
  }

  @Test
  void a_few_aliases_cannot_become_more_than_fits_in_memory() throws IOException {
    var bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 12; i++) {
      String last = "*a" + (i - 1);
      bomb.append(
          "a%s: &a%s [%s]\n".formatted(i, i, String.join(",", List.of(last, last, last, last))));
    }
    write("bomb.yaml", bomb.toString());
    write("loop.yaml", "a: &a [*a]\n");

    assertThatThrownBy(() -> read("bomb.yaml")).isInstanceOf(UnreadableException.class);
    assertThatThrownBy(() -> read("loop.yaml")).isInstanceOf(UnreadableException.class);
  }

  @Test
  void an_alias_stands_for_a_copy() throws IOException {
    write("alias.yaml", "key: a\nretry: &r {attempts: 3}\nother: *r\n");

    assertThat(Json.write(read("alias.yaml").get(0).body()))
        .isEqualTo("{\"key\":\"a\",\"retry\":{\"attempts\":3},\"other\":{\"attempts\":3}}");
  }

  private void write(String name, String text) throws IOException {
    Files.createDirectories(folder.resolve(name).getParent());
    Files.writeString(folder.resolve(name), text);
  }

  private List<Document> read(String... sources) {
    return new Documents(Around.in(folder).environment()).read(List.of(sources));
  }

  private List<Document> readStdin(String text) {
    return new Documents(Around.in(folder).reading(text).environment()).read(List.of("-"));
  }
}
