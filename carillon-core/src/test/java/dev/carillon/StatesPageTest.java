package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds {@code docs/states.md} to what runs and schedules do. */
@ExtendWith(EmbeddedPostgres.class)
class StatesPageTest {
  private static final Pattern TRANSITION =
      Pattern.compile("^(\\w+) +→ (\\w+) +\\S", Pattern.MULTILINE);
  private static final Pattern REASON = Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE);

  private static String runs() throws IOException {
    return page().substring(0, page().indexOf("## Schedules"));
  }

  private static String schedules() throws IOException {
    return page().substring(page().indexOf("## Schedules"));
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/states.md"));
  }

  private static Set<String> transitions(String part) {
    return TRANSITION
        .matcher(part)
        .results()
        .map(line -> line.group(1) + " " + line.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Test
  void the_page_has_the_transitions_of_runs() throws IOException {
    var legal = new TreeSet<String>();
    for (RunState from : RunState.values()) {
      Arrays.stream(RunState.values())
          .filter(from::canBecome)
          .forEach(to -> legal.add(word(from) + " " + word(to)));
    }

    assertThat(transitions(runs())).isEqualTo(legal);
  }

  @Test
  void the_page_has_the_reasons_of_decisions() throws IOException {
    assertThat(REASON.matcher(page()).results().map(line -> line.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(DroppedSlots.Reason.values()).map(StatesPageTest::word).toList());
  }

  @Test
  void the_page_has_the_transitions_of_schedules(DataSource postgres) throws IOException {
    List<BiConsumer<Schedules, String>> changes =
        List.of(
            (schedules, key) -> schedules.pause(key, "a test"),
            (schedules, key) -> schedules.resume(key),
            (schedules, key) -> schedules.retire(key),
            (schedules, key) -> schedules.upsert(draft(key).every(Duration.ofHours(2))));
    var seen = new TreeSet<String>();
    try (var carillon = ManualCarillon.on(postgres).target("bell", new RecordingTarget()).start()) {
      Schedules schedules = carillon.schedules();
      for (ScheduleStatus from : ScheduleStatus.values()) {
        for (int i = 0; i < changes.size(); i++) {
          String key = word(from) + i;
          become(schedules, key, from);
          changes.get(i).accept(schedules, key);
          ScheduleStatus to = schedules.get(key).orElseThrow().status();
          if (to != from) {
            seen.add(word(from) + " " + word(to));
          }
        }
      }
    }

    assertThat(seen).isEqualTo(transitions(schedules()));
  }

  private static ScheduleDraft draft(String key) {
    return ScheduleDraft.named(key).target("bell").every(Duration.ofHours(1));
  }

  private static void become(Schedules schedules, String key, ScheduleStatus status) {
    schedules.create(draft(key));
    switch (status) {
      case ACTIVE -> {}
      case PAUSED -> schedules.pause(key, "a test");
      case RETIRED -> schedules.retire(key);
    }
  }
}
