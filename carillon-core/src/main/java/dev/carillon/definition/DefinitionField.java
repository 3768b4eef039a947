package dev.carillon.definition;

import dev.carillon.model.Definition;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One field of a definition: its name, what it holds, and where a definition has it. */
public final class DefinitionField<T> {
  private final String name;
  private final FieldType<T> type;
  private final Function<Definition.Builder, Optional<T>> getter;
  private final BiConsumer<Definition.Builder, T> setter;
  private final UnaryOperator<T> limits;
  private final Optional<T> usual;
  private final Optional<Option> option;

  /**
   * The option by which the command line sets a field.
   *
   * @param label what stands for its value in the help
   * @param description what the help says about it
   */
  public record Option(String label, String description) {}

  private DefinitionField(
      String name,
      FieldType<T> type,
      Function<Definition.Builder, Optional<T>> getter,
      BiConsumer<Definition.Builder, T> setter,
      UnaryOperator<T> limits,
      Optional<T> usual,
      Optional<Option> option) {
    this.name = name;
    this.type = type;
    this.getter = getter;
    this.setter = setter;
    this.limits = limits;
    this.usual = usual;
    this.option = option;
  }

  static <T> DefinitionField<T> of(
      String name,
      FieldType<T> type,
      Function<Definition.Builder, Optional<T>> getter,
      BiConsumer<Definition.Builder, T> setter) {
    return new DefinitionField<>(
        name, type, getter, setter, UnaryOperator.identity(), Optional.empty(), Optional.empty());
  }

  /** Refuse what {@code check} refuses, except from the database. */
  DefinitionField<T> limits(UnaryOperator<T> check) {
    return new DefinitionField<>(name, type, getter, setter, check, usual, option);
  }

  /** Let {@code value} go without saying in the database. */
  DefinitionField<T> usual(T value) {
    return new DefinitionField<>(name, type, getter, setter, limits, Optional.of(value), option);
  }

  /** Let an option of the command line set this field. */
  DefinitionField<T> option(String label, String description) {
    return new DefinitionField<>(
        name, type, getter, setter, limits, usual, Optional.of(new Option(label, description)));
  }

  /** Return the name of this field in JSON. */
  public String name() {
    return name;
  }

  /** Return the kind of what this field holds. */
  public FieldType.Kind kind() {
    return type.kind();
  }

  /** Return the option by which the command line sets this field, if one does. */
  public Optional<Option> option() {
    return option;
  }

  /** Return the JSON schema of this field. */
  public Map<String, Object> schema() {
    return DefinitionFields.NEVER_NULL.contains(this) ? type.schema() : type.nullableSchema();
  }

  /** Read this field, if it is there. */
  public Optional<T> read(FieldSource source) {
    return type.reader().read(source, name);
  }

  /** Set this field, or refuse a value that no definition can have. */
  public void set(Definition.Builder definition, T value) {
    setter.accept(definition, limits.apply(value));
  }

  void restore(StoredFields stored, Definition.Builder definition) {
    read(stored).ifPresent(value -> setter.accept(definition, value));
  }

  /** Return {@code value} as clients read it. */
  public @Nullable Object show(T value) {
    return type.writer().write(value, JsonStyle.FULL);
  }

  @Nullable Object full(Definition.Builder definition) {
    return getter.apply(definition).map(this::show).orElse(null);
  }

  Optional<Object> compact(Definition.Builder definition) {
    Optional<T> value = getter.apply(definition);
    return value.equals(usual)
        ? Optional.empty()
        : value
            .map(said -> type.writer().write(said, JsonStyle.COMPACT))
            .filter(json -> !(json instanceof Map<?, ?> map && map.isEmpty()));
  }

  @Override
  public String toString() {
    return name;
  }
}
