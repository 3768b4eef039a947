package dev.carillon.definition;

import dev.carillon.model.Definition;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
 * @param options by which the command line sets it, or members of it
 */
public record DefinitionField<T>(
    String name,
    FieldType<T> type,
    Getter<T> getter,
    BiConsumer<Definition.Builder, T> setter,
    UnaryOperator<T> limits,
    Optional<T> usual,
    List<Option> options) {
  /** Finds a value in a definition. */
  public interface Getter<T> {
    @Nullable T get(Definition.Builder definition);
  }

  /**
   * An option of the command line.
   *
   * @param name such as {@code --timeout}
   * @param pointer what it sets, as a JSON pointer
   * @param kind of its value
   * @param label what stands for its value in the help
   * @param description what the help says about it
   */
  public record Option(
      String name, String pointer, FieldType.Kind kind, String label, String description) {}

  DefinitionField(
      String name, FieldType<T> type, Getter<T> getter, BiConsumer<Definition.Builder, T> setter) {
    this(name, type, getter, setter, UnaryOperator.identity(), Optional.empty(), List.of());
  }

  DefinitionField<T> limits(UnaryOperator<T> check) {
    return new DefinitionField<>(name, type, getter, setter, check, usual, options);
  }

  DefinitionField<T> usual(T value) {
    return new DefinitionField<>(name, type, getter, setter, limits, Optional.of(value), options);
  }

  DefinitionField<T> option(String label, String description) {
    String option = "--" + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    return with(new Option(option, "/" + name, type.kind(), label, description));
  }

  /** Let {@code option} set a member of this object. */
  DefinitionField<T> option(
      String option, String member, FieldType.Kind kind, String label, String description) {
    return with(new Option(option, "/" + name + "/" + member, kind, label, description));
  }

  private DefinitionField<T> with(Option option) {
    var all = Stream.concat(options.stream(), Stream.of(option)).toList();
    return new DefinitionField<>(name, type, getter, setter, limits, usual, all);
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
