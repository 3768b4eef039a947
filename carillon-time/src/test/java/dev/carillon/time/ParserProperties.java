package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parser accepts or refuses, quickly, whatever it is given. */
class ParserProperties {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final List<ReferenceField> FIELDS =
      List.of(
          ReferenceField.MINUTE,
          ReferenceField.HOUR,
          ReferenceField.DAY,
          ReferenceField.MONTH,
          ReferenceField.WEEKDAY);
  private static final Duration LIMIT = Duration.ofMillis(5);

  @Property(cases = 40_000)
  void garbage_is_refused_and_nothing_worse(TimeGen any) {
    parse(any.garbage());
  }

  @Property(cases = 40_000)
  void a_slip_of_the_pen_is_accepted_or_refused_and_nothing_worse(TimeGen any) {
    parse(any.mutated());
  }

  @Property(cases = 500)
  void overlong_text_is_refused(TimeGen any) {
    String tooLong = any.expression() + ",5".repeat(any.number(128, 2_000));

    parse(tooLong);
    assertThat(isAccepted(tooLong)).isFalse();
  }

  @Property(cases = 3_000)
  void the_rewrite_of_a_backward_range_means_what_was_meant(TimeGen any) {
    int field = any.number(0, 4);
    ReferenceField numbers = FIELDS.get(field);
    int first = any.number(numbers.min() + 1, numbers.max());
    int last = any.number(numbers.min(), first - 1);
    String[] fields = {"0", "0", "*", "*", "*"};
    fields[field] = first + "-" + last;
    if (field == 4 && last == 0) {
      return; // a week may end on Sunday
    }

    CronSyntaxException refusal =
        catchThrowableOfType(
            CronSyntaxException.class, () -> Cron.parse(String.join(" ", fields), UTC));

    String rewrite = refusal.hint().replaceFirst("Write (.*)\\.", "$1");
    int most = field == 4 ? 6 : numbers.max();
    assertThat(numbers.values(rewrite))
        .as("%s rewritten as %s", fields[field], rewrite)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(numbers.min(), most)
                .filter(value -> value >= first || value <= last)
                .boxed()
                .toList());
    fields[field] = rewrite;
    assertThat(Cron.parse(String.join(" ", fields), UTC).next(Instant.EPOCH)).isPresent();
  }

  @Test
  void the_longest_list_is_read_in_time() {
    parse("0" + ",0-59/7".repeat(35) + " 0 * * *");
    parse("0 0 1" + ",L-30W,29W".repeat(24) + " 2 *");
    parse("0 0 29 2" + " ".repeat(240) + "+MON#5");
  }

  /** Parse again if it took too long: a pause of the machine is not the parser's fault. */
  private static void parse(String text) {
    long best = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 5 && best > LIMIT.toNanos(); attempt++) {
      long start = System.nanoTime();
      isAccepted(text);
      best = Math.min(best, System.nanoTime() - start);
    }
    if (best > LIMIT.toNanos()) {
      fail("parsing took %d µs: %s", best / 1000, text);
    }
  }

  private static boolean isAccepted(String text) {
    try {
      Timing.parse(text, UTC);
      return true;
    } catch (CronSyntaxException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      assertThat(refused.position()).isBetween(0, Math.max(0, text.length()));
      return false;
    }
  }
}
