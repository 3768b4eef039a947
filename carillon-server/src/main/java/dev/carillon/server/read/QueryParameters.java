package dev.carillon.server.read;

import dev.carillon.json.AsciiText;
import dev.carillon.model.Payload;
import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The query parameters of a request. Each is read by its name; what is wrong is gathered, and
 * {@link #done} refuses it all at once. An empty one is refused: it is an unset variable of a
 * script rather than a wish for everything.
 */
public final class QueryParameters {
  private static final int DEFAULT_PAGE = 50;
  private static final int MAX_PAGE = 500;

  private final Request request;
  private final FieldErrors errors = new FieldErrors();

  private QueryParameters(Request request) {
    this.request = request;
  }

  /** Read the query of a request. */
  public static QueryParameters of(Request request) {
    return new QueryParameters(request);
  }

  /** Return a text. */
  public Optional<String> text(String name) {
    Optional<String> text = request.parameter(name);
    if (text.isPresent() && text.get().isBlank()) {
      error(name, "'%s' must not be empty; leave it out if it does not matter".formatted(name));
      return Optional.empty();
    }
    return text;
  }

  /** Return where a list continues; an empty one is its beginning. */
  public Optional<String> place(String name) {
    return request.parameter(name).filter(text -> !text.isEmpty());
  }

  /** Return an instant. */
  public Optional<Instant> instant(String name) {
    return read(name, ContractText::instant);
  }

  /** Return the constant whose word it is. */
  public <E extends Enum<E>> Optional<E> word(String name, Class<E> type) {
    return read(name, word -> ContractText.word(type, word));
  }

  /** Return true or false. */
  public boolean flag(String name) {
    return read(
            name,
            text -> {
              if (text.equals("true") || text.equals("false")) {
                return text.equals("true");
              }
              throw new InvalidValueException("'%s' must be true or false".formatted(name));
            })
        .orElse(false);
  }

  /** Return a whole number from {@code least} to {@code most}. */
  public Optional<Integer> whole(String name, int least, int most) {
    return read(
        name,
        text -> {
          long number = AsciiText.number(text, 10).orElse(-1);
          if (number < 0 || number < least || number > most) {
            throw new InvalidValueException(
                "'%s' must be a whole number from %s to %s".formatted(name, least, most));
          }
          return Math.toIntExact(number);
        });
  }

  /** Return how many items a page may have. */
  public int limit() {
    return whole("limit", 1, MAX_PAGE).orElse(DEFAULT_PAGE);
  }

  /** Return an object given as JSON. */
  public Optional<Payload> payload(String name) {
    return read(name, Payload::json);
  }

  /** Return an object given as JSON that has something in it. */
  public Optional<Payload> somePayload(String name) {
    boolean blank = request.parameter(name).filter(String::isBlank).isPresent();
    Optional<Payload> given = blank ? Optional.empty() : payload(name);
    if (blank || given.filter(Payload.EMPTY::equals).isPresent()) {
      error(name, "must contain something, such as {\"instanceId\":\"x\"}");
    }
    return given;
  }

  /** Return what {@code reader} makes of a text; if it refuses it, that is an error. */
  public <T> Optional<T> read(String name, Function<String, T> reader) {
    return text(name).flatMap(text -> errors.in(name, () -> reader.apply(text)));
  }

  /** Return {@code draft} with a parameter set, or as it is if there is none or it is refused. */
  public <D, T> D set(D draft, String name, Optional<T> value, BiFunction<D, T, D> setter) {
    return value
        .flatMap(present -> errors.in(name, () -> setter.apply(draft, present)))
        .orElse(draft);
  }

  /** Return what {@code work} does; if it refuses its input, that is an error of the parameter. */
  public <T> T doing(String name, Supplier<T> work) {
    Optional<T> result = errors.in(name, work);
    done();
    return result.orElseThrow();
  }

  /** Say so if the period between {@code from} and {@code to} ends before it begins. */
  public void checkPeriod(Instant from, Instant to) {
    if (to.isBefore(from)) {
      error("to", "must not be before 'from'");
    }
  }

  /** Say that something is wrong with a parameter. */
  public void error(String name, String message) {
    errors.add(FieldError.in(name, message));
  }

  /** Refuse the request if anything is wrong with its query. */
  public void done() {
    errors.refuse(ProblemKind.INVALID_PARAMETER);
  }
}
