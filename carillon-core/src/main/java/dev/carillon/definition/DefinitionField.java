package dev.carillon.definition;

import dev.carillon.model.Definition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One field of a definition. */
public final class DefinitionField<T> {
  private final String name;
  final FieldType<T> type;
  private final Getter<T> getter;
  private final BiConsumer<Definition.Builder, T> setter;
  private final List<Option> options = new ArrayList<>();

  /* Refuses what no definition may have; what the database holds is not checked again. */
  private UnaryOperator<T> limits = UnaryOperator.identity();

  /* The database leaves it out. */
  private Optional<T> defaultValue = Optional.empty();

  /** Finds a value in a definition; null if it is not set. */
  interface Getter<T> {
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
    this.name = name;
    this.type = type;
    this.getter = getter;
    this.setter = setter;
  }

  DefinitionField<T> limits(UnaryOperator<T> check) {
    limits = check;
    return this;
  }

  DefinitionField<T> defaultValue(T value) {
    defaultValue = Optional.of(value);
    return this;
  }

  DefinitionField<T> option(String label, String description) {
    String option = "--" + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    options.add(new Option(option, "/" + name, type.kind(), label, description));
    return this;
  }

  /** Let {@code option} set a member of this object. */
  DefinitionField<T> option(
      String option, String member, FieldType.Kind kind, String label, String description) {
    options.add(new Option(option, "/" + name + "/" + member, kind, label, description));
    return this;
  }

  /** Return its name in JSON. */
  public String name() {
    return name;
  }

  /** Return the options of the command line that set it, or members of it. */
  public List<Option> options() {
    return List.copyOf(options);
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
        .filter(value -> !defaultValue.equals(Optional.of(value)))
        .map(value -> type.writer().write(value, JsonStyle.COMPACT))
        .filter(json -> !json.equals(Map.of()));
  }
}
