package dev.carillon.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.Explanation;
import dev.carillon.postgres.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the guide to what is really said of its examples. */
class WhyGuideTest {
  private static final Pattern TEXT = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  @Test
  void the_guide_quotes_what_is_said() throws IOException {
    String page = Files.readString(Path.of("../docs/guide/why.md"));
    List<String> quoted =
        TEXT.matcher(page).results().map(block -> block.group(1).stripTrailing()).toList();

    var said = new ArrayList<Explanation>();
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      said.addAll(WhyDidItNotRun.run(pool));
    }
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      said.addAll(WhyWasItMoved.run(pool));
    }
    assertThat(said.stream().map(Explanation::text)).isEqualTo(quoted);
  }
}
