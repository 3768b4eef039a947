package dev.carillon.server.read;

import dev.carillon.definition.FieldSource;
import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import dev.carillon.model.OutOfScopeException;
import dev.carillon.model.Payload;
import dev.carillon.model.Scope;
import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.UnknownName;
import dev.carillon.template.TemplateSyntaxException;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object that a client sent. Each is read by its name; what is wrong is
 * gathered, and {@link #done} refuses it all at once, with the fields that are unknown. A field
 * that is null counts as left out, but for {@link #isNull}.
 */
public final class JsonFields implements FieldSource {
  private final Map<String, @Nullable Object> json;
  private final String pointer;
  private final FieldErrors errors;
  private final Scope scope;
  private final Set<String> known = new LinkedHashSet<>();
  private final List<JsonFields> inner = new ArrayList<>();
  private boolean open;

  private JsonFields(
      Map<String, @Nullable Object> json, String pointer, FieldErrors errors, Scope scope) {
    this.json = json;
    this.pointer = pointer;
    this.errors = errors;
    this.scope = scope;
  }

  /** Read the body of a request, which must have one. */
  public static JsonFields of(Request request) {
    if (!request.hasBody()) {
      throw malformed("The body is missing; send a JSON object.");
    }
    return of(parsed(request), request.caller().scope());
  }

  /** Read the body of a request; a missing one is an empty object. */
  public static JsonFields ofAny(Request request) {
    return request.hasBody() ? of(request) : of(Map.of());
  }

  /** Read an object that has been parsed. */
  public static JsonFields of(Map<String, @Nullable Object> json) {
    return of(json, Scope.ALL);
  }

  /** Read an object that has been parsed, of a caller who reaches {@code scope}. */
  public static JsonFields of(Map<String, @Nullable Object> json, Scope scope) {
    return new JsonFields(json, "", new FieldErrors(), scope);
  }

  /** Parse the body of a request, which must be an object. */
  public static Map<String, @Nullable Object> parsed(Request request) {
    return object(tree(request));
  }

  /** Parse the body of a request, which must be a list of objects, of which each is read. */
  public static List<JsonFields> list(Request request, int most) {
    if (!(tree(request) instanceof List<?> items) || items.size() > most) {
      throw malformed("The body must be a JSON array of at most %s objects.".formatted(most));
    }
    var errors = new FieldErrors();
    var all = new ArrayList<JsonFields>();
    for (Object item : items) {
      all.add(new JsonFields(object(item), "/" + all.size(), errors, request.caller().scope()));
    }
    return all;
  }

  private static @Nullable Object tree(Request request) {
    try {
      return Json.read(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(request.body())).toString());
    } catch (JsonException e) {
      throw malformed(e.getMessage() + ".");
    } catch (CharacterCodingException e) {
      throw malformed("The body is not UTF-8.");
    }
  }

  @SuppressWarnings("unchecked") // the reader makes maps with string keys only
  private static Map<String, @Nullable Object> object(@Nullable Object tree) {
    if (tree instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw malformed("The body must be a JSON object, such as {\"name\": 1}.");
  }

  private static RuntimeException malformed(String detail) {
    return new ProblemException(ProblemKind.MALFORMED_JSON, detail);
  }

  /** Return whether the field called {@code name} is there and not null. */
  public boolean has(String name) {
    known.add(name);
    return json.get(name) != null;
  }

  /** Return whether the field called {@code name} is said to be null, rather than left out. */
  @Override
  public boolean isNull(String name) {
    known.add(name);
    return json.containsKey(name) && json.get(name) == null;
  }

  /** Return a text. */
  @Override
  public Optional<String> text(String name) {
    return typed(name, String.class, "a text");
  }

  /** Return a text; an object or a list as its JSON. */
  public Optional<String> textOrJson(String name) {
    Optional<Object> value = value(name);
    return value.isPresent() && (value.get() instanceof Map || value.get() instanceof List)
        ? value.map(Json::write)
        : text(name);
  }

  /** Say {@code why} a field must be there if it is not. */
  public void require(String name, String why) {
    if (!has(name)) {
      error(name, why);
    }
  }

  /** Return a text that must be there. */
  public Optional<String> needed(String name, String why) {
    require(name, why);
    return text(name);
  }

  /** Return a text of 1 to {@code most} characters that must be there. */
  public Optional<String> needed(String name, String why, int most) {
    Optional<String> text = needed(name, why);
    text.filter(given -> given.isBlank() || given.length() > most)
        .ifPresent(given -> error(name, "must have 1 to %s characters".formatted(most)));
    return text;
  }

  /** Return a duration. */
  @Override
  public Optional<Duration> duration(String name) {
    return text(name).flatMap(text -> tried(name, () -> ContractText.duration(text)));
  }

  /** Return an amount of time, in which the calendar may count years, months and days. */
  public Optional<PeriodDuration> amount(String name) {
    return text(name).flatMap(text -> tried(name, () -> ContractText.amount(text)));
  }

  /** Return an instant. */
  @Override
  public Optional<Instant> instant(String name) {
    return text(name).flatMap(text -> tried(name, () -> ContractText.instant(text)));
  }

  /** Return the constant whose word it is. */
  @Override
  public <E extends Enum<E>> Optional<E> word(String name, Class<E> type) {
    return text(name).flatMap(text -> tried(name, () -> ContractText.word(type, text)));
  }

  /** Return a whole number from {@code least} to {@code most}. */
  @Override
  public Optional<Long> whole(String name, long least, long most) {
    Optional<Object> value = value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (value.get() instanceof Long number && number >= least && number <= most) {
      return Optional.of(number);
    }
    error(name, "must be a whole number from %s to %s".formatted(least, most));
    return Optional.empty();
  }

  /** Return a whole number from {@code -most} to {@code most}, or what {@code word} stands for. */
  @Override
  public Optional<Long> wholeOr(String name, String word, long meaning, long most) {
    Optional<Object> value = value(name);
    if (value.filter(word::equals).isPresent()) {
      return Optional.of(meaning);
    }
    if (value.isPresent() && !(value.get() instanceof Long)) {
      error(name, "must be a whole number or '%s'".formatted(word));
      return Optional.empty();
    }
    return whole(name, -most, most);
  }

  /** Return a list of at most {@code items} whole numbers from {@code least} to {@code most}. */
  public Optional<List<Long>> wholes(String name, int items, long least, long most) {
    Optional<?> list = typed(name, List.class, "a list of whole numbers");
    if (list.isEmpty()) {
      return Optional.empty();
    }
    List<?> given = (List<?>) list.get();
    if (given.size() > items) {
      error(name, "has at most %s items; these are %s".formatted(items, given.size()));
      return Optional.empty();
    }
    var numbers = new ArrayList<Long>();
    for (Object item : given) {
      if (!(item instanceof Long number) || number < least || number > most) {
        errors.add(
            FieldError.at(
                pointer(name) + "/" + numbers.size(),
                "must be a whole number from %s to %s".formatted(least, most)));
        return Optional.empty();
      }
      numbers.add(number);
    }
    return Optional.of(numbers);
  }

  /** Return a number. */
  @Override
  public Optional<Double> number(String name) {
    Optional<Object> value = value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (value.get() instanceof Long || value.get() instanceof BigDecimal) {
      return Optional.of(((Number) value.get()).doubleValue());
    }
    error(name, "must be a number");
    return Optional.empty();
  }

  /** Return true or false. */
  @Override
  public Optional<Boolean> flag(String name) {
    return typed(name, Boolean.class, "true or false");
  }

  /** Return the fields of an object. */
  @Override
  public Optional<JsonFields> object(String name) {
    return map(name)
        .map(
            map -> {
              var fields = new JsonFields(map, pointer(name), errors, scope);
              inner.add(fields);
              return fields;
            });
  }

  /** Accept fields of other names too. */
  public JsonFields open() {
    open = true;
    return this;
  }

  /** Return what the caller reaches who sent them. */
  public Scope scope() {
    return scope;
  }

  /** Return where this object is, as a JSON pointer. */
  public String pointer() {
    return pointer;
  }

  /** Return an object whose fields may have any names. */
  @SuppressWarnings("unchecked") // the reader makes maps with string keys only
  public Optional<Map<String, @Nullable Object>> map(String name) {
    return typed(name, Map.class, "an object").map(map -> (Map<String, @Nullable Object>) map);
  }

  /** Return an object as a payload. */
  @Override
  public Optional<Payload> payload(String name) {
    return map(name).flatMap(content -> tried(name, () -> Payload.of(content)));
  }

  /** Return a list of at most {@code most} texts. */
  @Override
  public Optional<List<String>> texts(String name, int most) {
    Optional<?> list = typed(name, List.class, "a list of texts");
    if (list.isEmpty()) {
      return Optional.empty();
    }
    var texts = new ArrayList<String>();
    for (Object item : (List<?>) list.get()) {
      if (!(item instanceof String text)) {
        errors.add(FieldError.at(pointer(name) + "/" + texts.size(), "must be a text"));
        return Optional.empty();
      }
      texts.add(text);
    }
    if (texts.size() > most) {
      error(name, "has at most %s items; these are %s".formatted(most, texts.size()));
      return Optional.empty();
    }
    return Optional.of(List.copyOf(texts));
  }

  /** Return the fields of each of at most {@code most} objects in a list. */
  @Override
  public Optional<List<JsonFields>> objects(String name, int most) {
    Optional<?> list = typed(name, List.class, "a list of objects");
    if (list.isEmpty()) {
      return Optional.empty();
    }
    List<?> items = (List<?>) list.get();
    if (items.size() > most) {
      error(name, "has at most %s items; these are %s".formatted(most, items.size()));
      return Optional.empty();
    }
    var all = new ArrayList<JsonFields>();
    for (Object item : items) {
      String place = pointer(name) + "/" + all.size();
      if (!(item instanceof Map)) {
        errors.add(FieldError.at(place, "must be an object"));
        return Optional.empty();
      }
      all.add(new JsonFields(object(item), place, errors, scope));
    }
    inner.addAll(all);
    return Optional.of(all);
  }

  /** Return what {@code work} makes of a field; if it refuses, that is an error there. */
  @Override
  public <T> Optional<T> tried(String name, Supplier<T> work) {
    known.add(name);
    return errors.at(pointer(name), work);
  }

  /**
   * Return what {@code work} does with all that was read. If it refuses a field that was read by
   * that name, or a member of one ({@code field/member}), the request is refused with an error
   * there, else with one at {@code otherwise}.
   */
  public <T> T doing(String otherwise, Supplier<T> work) {
    return doing(otherwise, Map.of(), work);
  }

  /**
   * Return what {@code work} does with all that was read, as {@link #doing(String, Supplier)} does.
   *
   * @param names what {@code work} calls a field, and what it is called here if not the same
   */
  public <T> T doing(String otherwise, Map<String, String> names, Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfScopeException e) {
      throw new OutOfScopeException(
          names.getOrDefault(e.field(), e.field()), String.valueOf(e.getMessage()));
    } catch (InvalidValueException e) {
      String blamed =
          e.field()
              .map(field -> names.getOrDefault(field, field))
              .filter(field -> known.contains(field.split("/", 2)[0]))
              .orElse(otherwise);
      String[] path = blamed.split("/", 2);
      String member = path.length == 1 ? "" : "/" + path[1];
      known.add(path[0]);
      if (e instanceof TemplateSyntaxException template) {
        String place = pointer(path[0]) + member;
        errors.add(FieldError.at(place + template.pointer(), template.reason()));
        template
            .others()
            .forEach(other -> errors.add(FieldError.at(place + other.pointer(), other.reason())));
      } else {
        errors.add(FieldError.at(pointer(path[0]) + member, FieldErrors.message(e)));
      }
      done();
      throw e;
    }
  }

  /** Say that something is wrong with a field. */
  public void error(String name, String message) {
    known.add(name);
    errors.add(FieldError.at(pointer(name), message));
  }

  /** Say that something is wrong with the object as a whole. */
  public void error(String message) {
    errors.add(FieldError.at(pointer, message));
  }

  /** Refuse the request if anything is wrong with it. */
  public void done() {
    refuseUnknown();
    errors.refuse(ProblemKind.INVALID_INPUT);
  }

  /** Return whether nothing is known to be wrong so far. */
  public boolean fine() {
    return errors.none();
  }

  private void refuseUnknown() {
    json.keySet().stream()
        .filter(name -> !open && !known.contains(name))
        .takeWhile(name -> !errors.full()) // to find the nearest name takes its time
        .forEach(name -> errors.add(FieldError.at(pointer(name), UnknownName.field(name, known))));
    inner.forEach(JsonFields::refuseUnknown);
  }

  private Optional<Object> value(String name) {
    known.add(name);
    return Optional.ofNullable(json.get(name));
  }

  private <T> Optional<T> typed(String name, Class<T> type, String what) {
    Optional<Object> value = value(name);
    if (value.isPresent() && !type.isInstance(value.get())) {
      error(name, "must be " + what);
      return Optional.empty();
    }
    return value.map(type::cast);
  }

  /* As RFC 6901 escapes names. */
  private String pointer(String name) {
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
