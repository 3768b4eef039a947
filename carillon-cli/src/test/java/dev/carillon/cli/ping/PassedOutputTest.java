package dev.carillon.cli.ping;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PassedOutputTest {
  private final ByteArrayOutputStream taker = new ByteArrayOutputStream();

  private static Process shell(String script) throws IOException {
    return new ProcessBuilder("sh", "-c", script).start();
  }

  private byte[] passed(String script) throws Exception {
    Process process = shell(script);
    var output = PassedOutput.start(process.getInputStream(), taker, new OutputTail());
    process.waitFor();
    output.awaitEnd();
    return taker.toByteArray();
  }

  @Test
  void bytes_are_passed_on_as_they_are() throws Exception {
    assertThat(passed("printf '\\377\\000\\200a\\033\\r\\n'"))
        .isEqualTo(new byte[] {(byte) 0xFF, 0, (byte) 0x80, 'a', 0x1b, '\r', '\n'});
  }

  @Test
  void much_is_passed_on_whole() throws Exception {
    assertThat(passed("head -c 5000000 /dev/zero")).hasSize(5_000_000);
  }

  @Test
  void a_child_that_is_left_behind_is_not_waited_for() throws Exception {
    String printed = new String(passed("sleep 3600 & echo $!"), StandardCharsets.UTF_8);

    assertThat(printed).matches("[0-9]+\n");
    ProcessHandle.of(Long.parseLong(printed.strip())).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void a_process_whose_output_nobody_takes_is_told_so() throws Exception {
    Process endless = shell("exec yes");
    var closed =
        new OutputStream() {
          @Override
          public void write(int any) throws IOException {
            throw new IOException("closed");
          }
        };
    PassedOutput.start(endless.getInputStream(), closed, new OutputTail());

    assertThat(endless.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }
}
