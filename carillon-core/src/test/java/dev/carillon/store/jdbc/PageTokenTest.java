package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.RunId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PageTokenTest {
  @Property
  void a_place_is_read_back(Gen any) {
    String place = "k" + any.text(200);

    String mark = PageToken.at(PageToken.Of.SCHEDULES, place);

    assertThat(mark).matches("[A-Za-z0-9_-]+");
    assertThat(PageToken.text(PageToken.Of.SCHEDULES, mark)).isEqualTo(place);
  }

  @Test
  void places_have_the_type_of_their_list() {
    var run = new RunId(7, Instant.parse("2026-03-01T00:00:00.000123Z"), 2);
    UUID id = UUID.randomUUID();

    assertThat(PageToken.run(PageToken.at(PageToken.Of.RUNS, run.toString()))).isEqualTo(run);
    assertThat(PageToken.number(PageToken.Of.AUDIT, PageToken.at(PageToken.Of.AUDIT, "42")))
        .isEqualTo(42);
    assertThat(
            PageToken.uuid(PageToken.Of.TOKENS, PageToken.at(PageToken.Of.TOKENS, id.toString())))
        .isEqualTo(id);
  }

  @Property
  void damage_is_refused(Gen any) {
    var mark = new StringBuilder(PageToken.at(PageToken.Of.SCHEDULES, "nightly-report"));
    int at = any.number(0, mark.length() - 1);
    switch (any.number(0, 3)) {
      case 0 -> mark.setCharAt(at, mark.charAt(at) == 'A' ? 'z' : 'A');
      case 1 -> mark.setLength(at);
      case 2 -> mark.insert(at, any.oneOf("!", "=", " ", "\0", "é", "AAAA"));
      default -> mark.setLength(0);
    }

    assertRefused(mark.toString());
  }

  private static void assertRefused(String mark) {
    assertThatIllegalArgumentException()
        .as(mark)
        .isThrownBy(() -> PageToken.text(PageToken.Of.SCHEDULES, mark))
        .withMessageStartingWith("this is no cursor");
  }

  @Test
  void what_is_not_storable_is_no_place() {
    assertRefused(PageToken.at(PageToken.Of.SCHEDULES, "a\0b"));
    assertRefused("x".repeat(100_000));
    assertRefused(
        Base64.getUrlEncoder().encodeToString("1: nightly".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void a_place_of_the_wrong_type_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageToken.run(PageToken.at(PageToken.Of.RUNS, "'; drop table run")))
        .withMessageStartingWith("this is no cursor");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> PageToken.number(PageToken.Of.AUDIT, PageToken.at(PageToken.Of.AUDIT, "1e9")))
        .withMessageStartingWith("this is no cursor");
  }

  @Test
  void the_place_of_another_list_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageToken.run(PageToken.at(PageToken.Of.AUDIT, "42")))
        .withMessageStartingWith("this cursor is of another list");
  }
}
