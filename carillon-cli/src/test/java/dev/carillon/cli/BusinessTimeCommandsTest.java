package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands and files of the guide to business time. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(240)
class BusinessTimeCommandsTest {
  private static final Path GUIDE = Path.of("../docs/guide/business-time.md");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  private final RealServer server;

  BusinessTimeCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void the_guide_runs_from_top_to_bottom_on_an_empty_server() throws Exception {
    List<String> files = blocks("yaml");
    server.write("report.yaml", files.get(0));
    server.write("it.yaml", files.get(1));
    List<String> commands = blocks("sh").stream().flatMap(String::lines).toList();

    assertThat(commands).hasSizeGreaterThan(20);
    for (String command : commands) {
      run(command);
    }
    run("carillon schedule apply -f report.yaml --yes");
    run("carillon calendar create it -f it.yaml");
  }

  private void run(String command) {
    String[] words =
        WORD.matcher(command)
            .results()
            .map(word -> word.group(1) != null ? word.group(1) : word.group(2))
            .skip(1)
            .toArray(String[]::new);

    Answer answer = Answer.in(server.environment(), words);

    assertThat(answer.code()).as("%s: %s", command, answer).isZero();
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(GUIDE))
        .results()
        .map(block -> block.group(1))
        .toList();
  }
}
