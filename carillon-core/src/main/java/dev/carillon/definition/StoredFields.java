package dev.carillon.definition;

import dev.carillon.model.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The fields of a JSON object that the database holds.
 *
 * @param json the object
 */
record StoredFields(Map<?, ?> json) implements FieldSource {
  boolean has(String name) {
    return json.get(name) != null;
  }

  private <T> Optional<T> typed(String name, Class<T> type) {
    return Optional.ofNullable(json.get(name)).filter(type::isInstance).map(type::cast);
  }

  @Override
  public boolean isNull(String name) {
    return json.containsKey(name) && json.get(name) == null;
  }

  @Override
  public Optional<String> text(String name) {
    return typed(name, String.class);
  }

  @Override
  public Optional<Duration> duration(String name) {
    return text(name).map(Duration::parse);
  }

  @Override
  public Optional<Instant> instant(String name) {
    return text(name).map(Instant::parse);
  }

  @Override
  public <E extends Enum<E>> Optional<E> word(String name, Class<E> type) {
    return text(name).map(word -> Enum.valueOf(type, word.toUpperCase(Locale.ROOT)));
  }

  @Override
  public Optional<Long> whole(String name, long least, long most) {
    return typed(name, Long.class);
  }

  @Override
  public Optional<Long> wholeOr(String name, String word, long meaning, long most) {
    return typed(name, Long.class);
  }

  @Override
  public Optional<Double> number(String name) {
    return typed(name, Number.class).map(Number::doubleValue);
  }

  @Override
  public Optional<Boolean> flag(String name) {
    return typed(name, Boolean.class);
  }

  @Override
  public Optional<List<String>> texts(String name, int most) {
    return typed(name, List.class)
        .map(list -> ((List<?>) list).stream().map(String::valueOf).toList());
  }

  @Override
  public Optional<Payload> payload(String name) {
    throw new UnsupportedOperationException("a payload has a column of its own");
  }

  @Override
  public Optional<StoredFields> object(String name) {
    return typed(name, Map.class).map(StoredFields::new);
  }

  @Override
  public Optional<List<StoredFields>> objects(String name, int most) {
    return typed(name, List.class)
        .map(
            list -> ((List<?>) list).stream().map(it -> new StoredFields((Map<?, ?>) it)).toList());
  }

  @Override
  public <T> Optional<T> tried(String name, Supplier<T> work) {
    return Optional.of(work.get());
  }
}
