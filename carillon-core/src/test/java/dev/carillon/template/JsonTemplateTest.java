package dev.carillon.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTemplateTest {
  private static final int MOST = 256 * 1024;
  private static final TemplateValues VALUES =
      new TemplateValues(
          Instant.EPOCH, Instant.EPOCH, ZoneOffset.UTC, Optional.empty(), "run", "key", 1);

  private static String expanded(Object json, Map<String, ?> payload) {
    return JsonTemplate.parse(json).expand(VALUES, payload, MOST);
  }

  @Test
  void a_text_that_is_one_placeholder_keeps_its_type_and_others_are_texts() {
    assertThat(expanded(List.of("${payload.n}", "n ${payload.n}", "n", 2L), Map.of("n", 1L)))
        .isEqualTo("[1,\"n 1\",\"n\",2]");
  }

  @Test
  void what_would_not_fit_is_given_up_before_it_is_made() {
    List<String> many = Collections.nCopies(1_000_000, "${payload.large} ");

    assertThatThrownBy(() -> expanded(many, Map.of("large", "x".repeat(200_000))))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("has more than");
    assertThatThrownBy(() -> expanded(many, Map.of("large", List.of("x".repeat(200_000)))))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("has more than");
  }
}
