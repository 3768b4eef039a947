package dev.carillon.definition;

import dev.carillon.model.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * A JSON object whose fields are read by name. What the database holds is trusted; what a client
 * sent is checked, and a field that is wrong is reported and then counts as left out.
 */
public interface FieldSource {
  /** Tell whether the field called {@code name} is null, rather than left out. */
  boolean isNull(String name);

  /** Return a text. */
  Optional<String> text(String name);

  /** Return a duration. */
  Optional<Duration> duration(String name);

  /** Return an instant. */
  Optional<Instant> instant(String name);

  /** Return the constant whose word it is. */
  <E extends Enum<E>> Optional<E> word(String name, Class<E> type);

  /** Return a whole number from {@code least} to {@code most}. */
  Optional<Long> whole(String name, long least, long most);

  /** Return a whole number from {@code -most} to {@code most}, or what {@code word} stands for. */
  Optional<Long> wholeOr(String name, String word, long meaning, long most);

  /** Return a number. */
  Optional<Double> number(String name);

  /** Return true or false. */
  Optional<Boolean> flag(String name);

  /** Return a list of at most {@code most} texts. */
  Optional<List<String>> texts(String name, int most);

  /** Return an object as a payload. */
  Optional<Payload> payload(String name);

  /** Return the fields of an object. */
  Optional<? extends FieldSource> object(String name);

  /** Return the fields of each of at most {@code most} objects in a list. */
  Optional<? extends List<? extends FieldSource>> objects(String name, int most);

  /** Return what {@code work} makes of a field, or nothing if it refuses the field. */
  <T> Optional<T> tried(String name, Supplier<T> work);

  /** Return {@code draft} with a field set, or as it is if there is no value or it is refused. */
  default <D, T> D set(D draft, String name, Optional<T> value, BiFunction<D, T, D> setter) {
    return value.flatMap(present -> tried(name, () -> setter.apply(draft, present))).orElse(draft);
  }
}
