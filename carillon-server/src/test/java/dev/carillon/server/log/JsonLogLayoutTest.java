package dev.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLogLayoutTest {
  private final Logger logger = LogbackLoggers.named("dev.carillon");

  private JsonNode written(LoggingEvent event) throws Exception {
    String text = new String(new JsonLogLayout().encode(event), StandardCharsets.UTF_8);
    assertThat(text).endsWith("}\n").containsOnlyOnce("\n");
    return JsonMapper.builder().build().readTree(text);
  }

  @Test
  void a_line_is_an_object_with_what_it_is_about() throws Exception {
    var event = new LoggingEvent("", logger, Level.INFO, "run is\nover", null, null);
    event.setKeyValuePairs(
        List.of(new KeyValuePair("reason", "overlap"), new KeyValuePair("attempt", 2)));
    JsonNode line = written(event);

    assertThat(line.path("level").asText()).isEqualTo("INFO");
    assertThat(line.path("logger").asText()).isEqualTo("dev.carillon");
    assertThat(line.path("message").asText()).isEqualTo("run is\nover");
    assertThat(line.path("reason").asText()).isEqualTo("overlap");
    assertThat(line.path("attempt").asInt()).isEqualTo(2);
  }

  @Test
  void what_was_thrown_stays_in_the_line() throws Exception {
    var thrown = new IllegalStateException("outer", new IllegalArgumentException("inner"));
    JsonNode line = written(new LoggingEvent("", logger, Level.ERROR, "failed", thrown, null));

    assertThat(line.path("error").asText())
        .contains("IllegalStateException: outer", "Caused by", "IllegalArgumentException: inner");
  }
}
