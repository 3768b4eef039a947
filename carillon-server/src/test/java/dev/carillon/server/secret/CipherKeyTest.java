package dev.carillon.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CipherKeyTest {
  private final CipherKey key = CipherKey.generate();

  @Test
  void what_is_sealed_for_a_place_is_opened_for_that_place_only() {
    byte[] sealed = key.seal("grüße", "target a");

    assertThat(key.open(sealed, "target a")).contains("grüße");
    assertThat(key.open(sealed, "target b")).isEmpty();
    assertThat(CipherKey.generate().open(sealed, "target a")).isEmpty();
    assertThat(new String(sealed, StandardCharsets.UTF_8)).doesNotContain("gr");
  }

  @Test
  void the_same_text_is_never_sealed_the_same_way() {
    assertThat(key.seal("a", "x")).isNotEqualTo(key.seal("a", "x"));
  }

  @Test
  void one_changed_bit_anywhere_is_noticed() {
    byte[] sealed = key.seal("text", "x");
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertThat(key.open(changed, "x")).as("byte " + i).isEmpty();
    }
    for (int length = 0; length < sealed.length; length++) {
      assertThat(key.open(Arrays.copyOf(sealed, length), "x")).as("of " + length).isEmpty();
    }
  }

  @Test
  void the_same_key_under_another_id_opens_nothing() {
    CipherKey other = CipherKey.parse("other:" + key.line().substring(key.id().length() + 1));

    assertThat(other.open(key.seal("text", "x"), "x")).isEmpty();
  }

  @Test
  void the_first_key_seals_and_all_open() {
    KeyRing ring =
        KeyRing.parse(
            "# keys\n%s # old\n\n%s\n".formatted(key.line(), CipherKey.generate().line()));

    assertThat(ring.current().map(CipherKey::id)).contains(key.id());
    assertThat(ring.keys()).hasSize(2);
    assertThat(ring.find(key.id()).orElseThrow().open(key.seal("t", "x"), "x")).contains("t");
    assertThat(ring.toString()).contains(key.id()).doesNotContain(secret());
    assertThat(key.toString()).doesNotContain(secret());
  }

  private String secret() {
    return key.line().substring(key.id().length() + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " \n#\n", "QUJD", ":QUJD", "a b:QUJD", "k:canary!", "k:Y2FuYXJ5", "é:QUJD"})
  void what_is_no_key_is_refused_without_repeating_it(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyRing.parse(text))
        .withMessageNotContainingAny("canary", "Y2FuYXJ5", "QUJD");
  }

  @Test
  void a_key_is_named_once() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyRing.parse(key.line() + "\n" + key.line()))
        .withMessage("key %s is named twice; drop one".formatted(key.id()));
  }

  @Test
  void a_key_has_32_bytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyRing.parse("k1:" + Base64.getEncoder().encodeToString(new byte[16])))
        .withMessage("key k1 must have 32 bytes; it has 16");
  }

  @Test
  void of_many_that_make_the_file_at_once_all_read_the_same_key(@TempDir Path folder)
      throws Exception {
    KeyFile file = KeyFile.in(folder);
    var threads = Executors.newFixedThreadPool(8);
    try {
      Callable<String> reading = () -> file.readOrCreate().current().orElseThrow().line();
      assertThat(
              threads.invokeAll(IntStream.range(0, 8).mapToObj(i -> reading).toList()).stream()
                  .map(CipherKeyTest::result)
                  .distinct())
          .hasSize(1);
    } finally {
      threads.shutdownNow();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
        .isEqualTo("rw-------");
    assertThat(folder.toFile().list()).containsExactly("secret-keys");
    assertThat(file.exposure()).isEmpty();
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r-----"));
    assertThat(file.exposure().orElseThrow()).contains("chmod 600");
  }

  private static String result(Future<String> future) {
    try {
      return future.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
