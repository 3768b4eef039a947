package dev.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.carillon.fixture.HostileGen;
import dev.carillon.fixture.Property;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** What is logged in the formats of the server, whatever clients, endpoints and workers sent. */
class LogFormatProperties {
  private static final String BEGINNING = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z .*";

  private final LoggerContext context = new LoggerContext();
  private final List<Encoder<ILoggingEvent>> encoders = new ArrayList<>();

  /* Those of the configuration that is part of the product; read once, since it takes long. */
  private List<Encoder<ILoggingEvent>> encoders() throws Exception {
    if (!encoders.isEmpty()) {
      return encoders;
    }
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogFormatProperties.class.getResource("/logback.xml"));
    context
        .getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
        .iteratorForAppenders()
        .forEachRemaining(
            appender ->
                encoders.add(((OutputStreamAppender<ILoggingEvent>) appender).getEncoder()));
    return encoders;
  }

  private LoggingEvent event(String message, @Nullable Throwable thrown) {
    return new LoggingEvent(
        "", context.getLogger("dev.carillon.Bell"), Level.WARN, message, thrown, null);
  }

  private LoggingEvent hostileEvent(HostileGen gen) {
    var thrown = new IllegalStateException(gen.hostile(), new RuntimeException(gen.hostile()));
    thrown.addSuppressed(new IllegalArgumentException(gen.hostile()));
    LoggingEvent event = event(gen.hostile(), gen.percent(50) ? thrown : null);
    event.setThreadName(gen.hostile());
    event.setMDCPropertyMap(Map.of(gen.hostile(), gen.hostile()));
    event.setKeyValuePairs(
        List.of(new KeyValuePair(gen.hostile(), gen.hostile()), new KeyValuePair("schedule", "x")));
    return event;
  }

  @Property(cases = 1_000)
  void lines_for_people_have_nothing_harmful_and_cannot_be_forged(HostileGen gen) throws Exception {
    LoggingEvent event = hostileEvent(gen);
    List<Encoder<ILoggingEvent>> encoders = encoders();
    assertThat(encoders).isNotEmpty();
    for (Encoder<ILoggingEvent> encoder : encoders) {
      String text = new String(encoder.encode(event), StandardCharsets.UTF_8);

      assertThat(HostileGen.harmful(text.replaceAll("(?m)^\t+", ""))).isEqualTo(-1);
      assertThat(text.lines().filter(line -> line.matches(BEGINNING))).hasSize(1);
      assertThat(text.lines().skip(1))
          .allMatch(
              line ->
                  line.startsWith("\t")
                      || line.startsWith("java.lang.IllegalStateException: ")
                      || line.startsWith("Caused by: "));
    }
  }

  @Property(cases = 1_000)
  void lines_for_programs_have_nothing_harmful_and_mean_the_same(HostileGen gen) throws Exception {
    LoggingEvent event = hostileEvent(gen);
    String text = new String(new JsonLogLayout().encode(event), StandardCharsets.UTF_8);

    assertThat(HostileGen.harmful(text)).isEqualTo(-1);
    assertThat(text).endsWith("}\n").containsOnlyOnce("\n");
    JsonNode line = JsonMapper.builder().build().readTree(text);
    assertThat(line.path("message").asText()).isEqualTo(inJson(event.getFormattedMessage()));
    KeyValuePair pair = event.getKeyValuePairs().get(0);
    assertThat(line.path(inJson(pair.key)).asText()).isEqualTo(inJson((String) pair.value));
    assertThat(line.path("schedule").asText()).isEqualTo("x");
  }

  /* JSON has no half of a surrogate pair. */
  private static String inJson(String text) {
    var whole = new StringBuilder();
    text.codePoints()
        .map(
            point ->
                point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
                    ? 0xFFFD
                    : point)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }

  @Test
  void details_and_stack_traces_stay_readable() throws Exception {
    LoggingEvent detailed =
        event("run failed: run=1\nbell.Broken: no rope\n\tat a.B.c(B.java:1)", null);
    detailed.setKeyValuePairs(
        List.of(new KeyValuePair("details", "bell.Broken: no rope\n\tat a.B.c(B.java:1)")));
    assertThat(new String(encoders().get(0).encode(detailed), StandardCharsets.UTF_8))
        .endsWith(
            "Z WARN  Bell: run failed: run=1\n\tbell.Broken: no rope\n\tat a.B.c(B.java:1)\n");

    var thrown = new IllegalStateException("a\nb", new RuntimeException("inner"));
    assertThat(
            new String(encoders().get(0).encode(event("broken", thrown)), StandardCharsets.UTF_8))
        .contains(
            "Z WARN  Bell: broken\njava.lang.IllegalStateException: a\\nb\n\tat dev.carillon.")
        .contains("\nCaused by: java.lang.RuntimeException: inner\n\t");
  }
}
