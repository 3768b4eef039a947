package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionTest {
  @TempDir Path folder;

  @Test
  void bash_completes_commands_and_options() throws Exception {
    assertThat(completed("carillon schedule ap")).isEqualTo("apply");
    assertThat(completed("carillon schedule apply --pr")).isEqualTo("--prune");
    assertThat(completed("carillon do")).isEqualTo("doctor");
  }

  @Test
  void another_shell_is_refused() {
    assertThat(Answer.to("completion", "fish").code()).isEqualTo(2);
  }

  private String completed(String line) throws IOException, InterruptedException {
    Path script = folder.resolve("completion");
    Files.writeString(script, Answer.to("completion", "bash").out());
    String[] words = line.split(" ", -1);
    String commands =
        """
        source '%s'
        COMP_WORDS=(%s)
        COMP_CWORD=%s
        _complete_carillon
        echo "${COMPREPLY[@]}"
        """
            .formatted(script, line, words.length - 1);
    Process bash = new ProcessBuilder("bash", "-c", commands).start();
    String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    return answer.strip();
  }
}
