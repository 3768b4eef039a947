package dev.carillon.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.carillon.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Writes each line of the log as a JSON object, with what it is about under names of its own. */
public final class JsonLogLayout extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = new byte[0];

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    var line = new LinkedHashMap<String, @Nullable Object>();
    line.put("at", event.getInstant().toString());
    line.put("level", event.getLevel().toString());
    line.put("logger", event.getLoggerName());
    line.put("message", message(event));
    Optional.ofNullable(event.getKeyValuePairs())
        .ifPresent(pairs -> pairs.forEach(pair -> line.putIfAbsent(pair.key, value(pair))));
    Optional.ofNullable(event.getThrowableProxy())
        .ifPresent(e -> line.put("error", StackTraceText.of(e)));
    return (Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /* Details that follow the line for people have a name of their own here. */
  private static String message(ILoggingEvent event) {
    String message = event.getFormattedMessage();
    int end = DetailedMessage.is(event) ? message.indexOf('\n') : -1;
    return end < 0 ? message : message.substring(0, end);
  }

  private static @Nullable Object value(KeyValuePair pair) {
    return pair.value instanceof Integer
            || pair.value instanceof Long
            || pair.value instanceof Boolean
            || (pair.value instanceof Double number && Double.isFinite(number))
        ? pair.value
        : String.valueOf(pair.value);
  }
}
