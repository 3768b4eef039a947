package dev.carillon.definition;

import dev.carillon.policy.CatchUp;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How a catch-up is read and written as JSON. */
public final class CatchUpJson {
  /* What a stored catch-up has that says nothing. It stays as it is, whatever is usual for new ones. */
  private static final CatchUp UNSAID = CatchUp.skip().grace(Duration.ofSeconds(10));
  private static final int UNSAID_LIMIT_OF_MANY = 100;

  private CatchUpJson() {}

  static Map<String, @Nullable Object> write(CatchUp catchUp, JsonStyle style) {
    return new JsonMembers(style)
        .add("mode", catchUp.name(), UNSAID.name())
        .add("limit", (long) catchUp.limit(), unsaidLimit(catchUp.mode()))
        .add("maxAge", catchUp.maxAge().orElse(null), null)
        .add("grace", catchUp.grace(), UNSAID.grace())
        .json();
  }

  /** Read what is said of a catch-up; what is not said stays, and an age of null is said: any. */
  public static UnaryOperator<CatchUp> edit(FieldSource json) {
    Optional<String> mode =
        json.text("mode")
            .filter(name -> json.tried("mode", () -> CatchUp.modeNamed(name)).isPresent());
    Optional<Integer> limit = json.whole("limit", 1, CatchUp.MAX_LIMIT).map(Math::toIntExact);
    boolean anyAge = json.isNull("maxAge");
    Optional<Duration> maxAge = json.duration("maxAge");
    Optional<Duration> grace = json.duration("grace");
    CatchUp any = json.set(CatchUp.skip(), "maxAge", maxAge, CatchUp::maxAge);
    json.set(any, "grace", grace, CatchUp::grace);
    return usual -> {
      CatchUp aged = anyAge ? usual.anyAge() : maxAge.map(usual::maxAge).orElse(usual);
      CatchUp limited = limit.map(aged::limit).orElse(aged);
      CatchUp late = grace.map(limited::grace).orElse(limited);
      return mode.map(late::called).orElse(late);
    };
  }

  /** Read a stored catch-up. */
  static Optional<CatchUp> read(FieldSource source, String name) {
    return source
        .object(name)
        .map(
            json -> {
              String word = json.text("mode").orElse(UNSAID.name());
              CatchUp.Mode mode = CatchUp.modeNamed(word);
              long limit =
                  json.whole("limit", 1, CatchUp.MAX_LIMIT).orElseGet(() -> unsaidLimit(mode));
              Duration grace = json.duration("grace").orElse(UNSAID.grace());
              return new CatchUp(
                  mode, Math.toIntExact(limit), json.duration("maxAge"), grace, word);
            });
  }

  private static long unsaidLimit(CatchUp.Mode mode) {
    return switch (mode) {
      case SKIP, ONCE -> UNSAID.limit();
      case ALL, SPREAD -> UNSAID_LIMIT_OF_MANY;
    };
  }
}
