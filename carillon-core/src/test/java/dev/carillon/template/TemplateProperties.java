package dev.carillon.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

class TemplateProperties {
  private static final List<String> PIECES =
      List.of(
          "$",
          "${",
          "}",
          "{",
          "$${",
          "slot",
          "due",
          "payload",
          ".",
          "'",
          "-1d",
          "+",
          "9",
          "M",
          ":",
          "yyyy",
          "MM",
          "attempt",
          "key",
          "a",
          "b",
          " ",
          "\n",
          "é",
          "\uD83D\uDE00",
          "${slot}",
          "${payload.a}",
          "${slot-1d:yyyy}",
          "${payload.'x y'}",
          "[",
          "]",
          "#",
          "p",
          "'T'");

  private static String text(Gen any) {
    var text = new StringBuilder();
    for (int i = any.number(0, 12); i > 0; i--) {
      text.append(any.percent(10) ? any.text(5) : any.oneOf(PIECES));
    }
    return text.toString();
  }

  private static TemplateValues values(Gen any) {
    Instant slot = any.instant();
    return new TemplateValues(
        slot,
        slot,
        ZoneId.of(any.oneOf("UTC", "Europe/Rome", "America/St_Johns", "Pacific/Apia")),
        Optional.of("key"),
        "run",
        "idempotency",
        any.number(1, 100));
  }

  private static final Map<String, Object> PAYLOAD =
      Map.of("a", "A", "b", Map.of("a", 1L), "x y", List.of());

  @Property(cases = 20_000)
  void a_text_is_a_template_or_refused_and_what_it_prints_is_the_same_template(Gen any) {
    String text = text(any);
    Template template;
    try {
      template = Template.parse(text);
    } catch (TemplateSyntaxException e) {
      assertThat(e.reason()).startsWith("at character ");
      return;
    }
    Template again = Template.parse(template.toString());
    assertThat(again).isEqualTo(template).hasToString(template.toString());
    assertThat(again.literals()).isEqualTo(template.literals());
    TemplateValues values = values(any);
    assertThat(filled(again, values)).isEqualTo(filled(template, values));
  }

  private static String filled(Template template, TemplateValues values) {
    try {
      return template.expand(values, PAYLOAD, 10_000);
    } catch (TemplateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Property(cases = 5_000)
  void every_text_can_be_written_as_a_template_of_itself(Gen any) {
    String text = text(any);
    var escaped = new Template(text.isEmpty() ? List.of() : List.of(new Template.Literal(text)));

    assertThat(filled(Template.parse(escaped.toString()), values(any))).isEqualTo(text);
  }

  @Property(cases = 3_000)
  void a_payload_is_filled_in_the_same_way_twice_or_refused(Gen any) {
    var content = new LinkedHashMap<String, @Nullable Object>();
    for (String name : List.of("a", "b", "x y")) {
      content.put(name, value(any, 3));
    }
    PayloadTemplate template;
    try {
      template = PayloadTemplate.parse(Payload.of(content));
    } catch (TemplateSyntaxException e) {
      assertThat(e.pointer()).startsWith("/");
      return;
    }
    TemplateValues values = values(any);
    Payload once = template.expand(values);
    assertThat(template.expand(values).json()).isEqualTo(once.json());
    assertThat(once.content().keySet()).isEqualTo(content.keySet());
    assertThat(Json.write(once.content())).isEqualTo(once.json());
  }

  private static @Nullable Object value(Gen any, int depth) {
    int kind = depth == 0 ? 0 : any.number(0, 5);
    if (kind == 4) {
      var list = new ArrayList<@Nullable Object>();
      for (int i = any.number(0, 3); i > 0; i--) {
        list.add(value(any, depth - 1));
      }
      return list;
    }
    if (kind == 5) {
      var map = new LinkedHashMap<String, @Nullable Object>();
      for (int i = any.number(0, 3); i > 0; i--) {
        map.put(any.oneOf("a", "b", "c/d"), value(any, depth - 1));
      }
      return map;
    }
    return kind == 3 ? any.number(0L, 99L) : storable(text(any));
  }

  private static String storable(String text) {
    return Json.isStorable(text) ? text : "";
  }

  @Property(cases = 20)
  void long_texts_of_anything_are_read_in_one_pass(Gen any) {
    String piece = any.oneOf(PIECES);
    String text = piece.repeat(200_000 / piece.length());
    long started = System.nanoTime();
    try {
      assertThat(Template.parse(text)).isNotNull();
    } catch (TemplateSyntaxException e) {
      assertThat(String.valueOf(e.getMessage()).length()).isLessThan(1_000);
    }
    assertThat(System.nanoTime() - started).isLessThan(20_000_000_000L);
  }
}
