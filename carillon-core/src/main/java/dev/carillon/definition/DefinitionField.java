package dev.carillon.definition;

import dev.carillon.model.Definition;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One field of a definition.
 *
 * @param name what it is called in JSON
 * @param type what it holds
 * @param getter finds it in a definition; null if it is not set
 * @param setter puts it into a definition
 * @param limits refuses what no definition may have, except from the database
 * @param usual what goes without saying in the database
 * @param option by which the command line sets it
 */
public record DefinitionField<T>(
    String name,
    FieldType<T> type,
    Getter<T> getter,
    BiConsumer<Definition.Builder, T> setter,
    UnaryOperator<T> limits,
    Optional<T> usual,
    Optional<Option> option) {
  /** Finds a value in a definition. */
  public interface Getter<T> {
    @Nullable T get(Definition.Builder definition);
  }

  /**
   * An option of the command line.
   *
   * @param label what stands for its value in the help
   * @param description what the help says about it
   */
  public record Option(String label, String description) {}

  DefinitionField(
      String name, FieldType<T> type, Getter<T> getter, BiConsumer<Definition.Builder, T> setter) {
    this(name, type, getter, setter, UnaryOperator.identity(), Optional.empty(), Optional.empty());
  }

  DefinitionField<T> limits(UnaryOperator<T> check) {
    return new DefinitionField<>(name, type, getter, setter, check, usual, option);
  }

  DefinitionField<T> usual(T value) {
    return new DefinitionField<>(name, type, getter, setter, limits, Optional.of(value), option);
  }

  DefinitionField<T> option(String label, String description) {
    var added = Optional.of(new Option(label, description));
    return new DefinitionField<>(name, type, getter, setter, limits, usual, added);
  }

  /** Read this field, if it is there. */
  public Optional<T> read(FieldSource source) {
    return type.reader().read(source, name);
  }

  /** Set this field, or refuse a value that no definition can have. */
  public void set(Definition.Builder definition, T value) {
    setter.accept(definition, limits.apply(value));
  }

  /** Return {@code value} as clients read it. */
  public @Nullable Object show(T value) {
    return type.writer().write(value, JsonStyle.FULL);
  }

  void restore(StoredFields stored, Definition.Builder definition) {
    read(stored).ifPresent(value -> setter.accept(definition, value));
  }

  @Nullable Object full(Definition.Builder definition) {
    return Optional.ofNullable(getter.get(definition)).map(this::show).orElse(null);
  }

  Optional<Object> compact(Definition.Builder definition) {
    return Optional.ofNullable(getter.get(definition))
        .filter(value -> !usual.equals(Optional.of(value)))
        .map(value -> type.writer().write(value, JsonStyle.COMPACT))
        .filter(json -> !json.equals(Map.of()));
  }
}
