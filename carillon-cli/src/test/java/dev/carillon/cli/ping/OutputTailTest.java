package dev.carillon.cli.ping;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OutputTailTest {
  private static String tail(byte[]... pieces) {
    var tail = new OutputTail();
    for (byte[] piece : pieces) {
      tail.add(piece, piece.length);
    }
    return tail.text();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void short_output_is_kept_as_it_is() {
    assertThat(tail(bytes("one\n"), bytes("two €\n"))).isEqualTo("one\ntwo €\n");
    assertThat(tail()).isEmpty();
  }

  @Test
  void of_long_output_the_end_is_kept() {
    String text = tail(bytes("x".repeat(30_000)), bytes("the end"));

    assertThat(text).hasSize(OutputTail.MAX_BYTES).endsWith("xthe end");
  }

  @Test
  void garbage_fits_into_a_ping() {
    var garbage = new byte[20_000];
    Arrays.fill(garbage, (byte) 0xFF);
    String text = tail(garbage, new byte[] {0}, bytes("end"));

    assertThat(bytes(text).length).isLessThanOrEqualTo(OutputTail.MAX_BYTES);
    assertThat(text).endsWith("\uFFFDend").doesNotContain("\0");
  }
}
