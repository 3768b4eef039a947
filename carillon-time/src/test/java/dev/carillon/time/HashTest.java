package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code H}: a value that depends on the schedule's key and on nothing else. */
class HashTest {
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static String[] fields(String expression, String key) {
    return Cron.parse(expression, UTC, key).resolved().split(" ", -1);
  }

  @Property(cases = 3_000)
  void a_key_always_yields_the_same_expression_without_any_hash(TimeGen any) {
    String expression = "H H(0-30)/7 H H H H(1-5)";
    String key = any.garbage();

    String resolved = Cron.parse(expression, any.zone(), key).resolved();

    assertThat(Cron.parse(expression, any.zone(), key).resolved()).isEqualTo(resolved);
    assertThat(resolved).doesNotContain("H");
  }

  @Property(cases = 5_000)
  void values_stay_within_their_range(TimeGen any) {
    String[] fields = fields("H H(10-20) H(3-3) H H(6-8) H(1-5)", any.garbage());

    assertThat(Integer.parseInt(fields[0])).isBetween(0, 59);
    assertThat(Integer.parseInt(fields[1])).isBetween(10, 20);
    assertThat(Integer.parseInt(fields[2])).isEqualTo(3);
    assertThat(Integer.parseInt(fields[3])).isBetween(1, 28);
    assertThat(Integer.parseInt(fields[4])).isBetween(6, 8);
    assertThat(Integer.parseInt(fields[5])).isBetween(1, 5);
  }

  @Property(cases = 5_000)
  void a_step_is_kept_from_wherever_the_key_starts_it(TimeGen any) {
    int step = any.number(1, 30);
    int from = any.number(0, 20);
    int to = any.number(from + step - 1, 59);

    String[] fields = fields("H(%s-%s)/%s H * * *".formatted(from, to, step), any.garbage());

    List<Integer> minutes = new ArrayList<>(ReferenceField.MINUTE.values(fields[0]));
    assertThat(minutes.get(0)).isBetween(from, from + step - 1);
    assertThat(minutes.get(minutes.size() - 1)).isBetween(to - step + 1, to);
    for (int i = 1; i < minutes.size(); i++) {
      assertThat(minutes.get(i) - minutes.get(i - 1)).isEqualTo(step);
    }
  }

  @Property(cases = 3_000)
  void the_resolved_expression_has_the_same_slots(TimeGen any) {
    String expression = new Grammar(any).expressionWithHash();
    ZoneId zone = any.zone();
    Cron cron;
    try {
      cron =
          Cron.parse(expression, zone, "key")
              .withOverlap(any.oneOf(DstOverlap.FIRST, DstOverlap.BOTH));
    } catch (CronSyntaxException refused) {
      assertThat(refused.problem()).as(expression).contains("never");
      return;
    }
    Twin twin = new Twin(cron.resolved(), zone, DstGap.FIRE_AFTER, cron.overlap());
    Instant start = any.instantNearShiftOf(zone);
    Instant end = start.plus(any.upTo(twin.stretchOf(300)));

    assertThat(cron.between(start, end).stream().toList())
        .as("%s resolved to %s", expression, twin)
        .isEqualTo(twin.reference().between(start, end));
  }

  @Test
  void keys_spread_evenly() {
    Map<String, Integer> minutes = new HashMap<>();
    Map<String, Integer> days = new HashMap<>();
    for (int i = 0; i < 12_000; i++) {
      String[] fields = fields("H 0 H * *", "schedule-" + i);
      minutes.merge(fields[0], 1, Integer::sum);
      days.merge(fields[2], 1, Integer::sum);
    }

    assertThat(minutes).hasSize(60);
    assertThat(minutes.values()).allSatisfy(count -> assertThat(count).isBetween(130, 270));
    assertThat(days).hasSize(28);
    assertThat(days.values()).allSatisfy(count -> assertThat(count).isBetween(320, 540));
  }

  @Test
  void fields_of_one_key_differ() {
    int equal = 0;
    for (int i = 0; i < 6_000; i++) {
      String[] fields = fields("H H 0 * * *", "schedule-" + i);
      equal += fields[0].equals(fields[1]) ? 1 : 0;
    }

    assertThat(equal).isBetween(40, 170);
  }

  @Test
  void another_key_is_another_schedule() {
    Set<String> resolved =
        Set.of(
            Cron.parse("H H H * *", UTC, "a").resolved(),
            Cron.parse("H H H * *", UTC, "b").resolved(),
            Cron.parse("H H H * *", UTC, "").resolved());

    assertThat(resolved).hasSize(3);
    assertThat(Cron.parse("H H H * *", UTC, "a")).isNotEqualTo(Cron.parse("H H H * *", UTC, "b"));
  }

  @Test
  void a_hashed_step_runs_in_both_passes_of_an_overlap_unless_it_has_a_range() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    Instant before = Instant.parse("2026-10-25T00:00:00Z").minusSeconds(1);
    Instant after = Instant.parse("2026-10-25T02:00:00Z").minusSeconds(1);

    assertThat(Cron.parse("H/20 2 * * *", berlin, "key").between(before, after).count())
        .isEqualTo(6);
    assertThat(Cron.parse("H 2 * * *", berlin, "key").between(before, after).count()).isEqualTo(1);
    assertThat(Cron.parse("H(0-59)/20 2 * * *", berlin, "key").between(before, after).count())
        .isEqualTo(3);
  }
}
