package dev.carillon.template;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What stands between <code>${</code> and <code>}</code>. */
sealed interface Placeholder {
  /** Return what it stands for, as a JSON value; {@code payload} finds values of the payload. */
  @Nullable Object value(TemplateValues values, Function<PayloadPath, @Nullable Object> payload);

  /**
   * A date of the run, which may be moved and written as a pattern says.
   *
   * @param name slot or due
   * @param offsets how far it is moved, one after the other
   * @param pattern how it is written; empty for an instant in UTC
   */
  record Date(Name name, List<DateOffset> offsets, Optional<DatePattern> pattern)
      implements Placeholder {
    @Override
    public Object value(TemplateValues values, Function<PayloadPath, @Nullable Object> payload) {
      Instant instant = name == Name.SLOT ? values.slot() : values.due();
      if (offsets.isEmpty() && pattern.isEmpty()) {
        return instant.toString();
      }
      ZonedDateTime date = instant.atZone(values.zone());
      for (DateOffset offset : offsets) {
        date = offset.from(date);
      }
      return pattern.isPresent() ? pattern.get().format(date) : date.toInstant().toString();
    }

    @Override
    public String toString() {
      var text = new StringBuilder(name.word);
      offsets.forEach(text::append);
      pattern.ifPresent(letters -> text.append(':').append(letters));
      return text.toString();
    }
  }

  /** A value of the run that is taken as it is. */
  record Plain(Name name) implements Placeholder {
    @Override
    public @Nullable Object value(
        TemplateValues values, Function<PayloadPath, @Nullable Object> payload) {
      return switch (name) {
        case KEY -> values.key().orElse(null);
        case RUN -> values.run();
        case IDEMPOTENCY_KEY -> values.idempotencyKey();
        case ATTEMPT -> (long) values.attempt();
        default -> throw new IllegalStateException(name + " is no plain value");
      };
    }

    @Override
    public String toString() {
      return name.word;
    }
  }

  /** A value of the payload. */
  record OfPayload(PayloadPath path) implements Placeholder {
    @Override
    public @Nullable Object value(
        TemplateValues values, Function<PayloadPath, @Nullable Object> payload) {
      return payload.apply(path);
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** The names that a placeholder may begin with. */
  enum Name {
    SLOT("slot"),
    DUE("due"),
    KEY("key"),
    RUN("run"),
    IDEMPOTENCY_KEY("idempotencyKey"),
    ATTEMPT("attempt"),
    PAYLOAD("payload");

    final String word;

    Name(String word) {
      this.word = word;
    }
  }
}
