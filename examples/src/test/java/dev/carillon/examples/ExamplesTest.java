package dev.carillon.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.model.RunState;
import dev.carillon.postgres.LocalPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs each example and looks at what came of it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ExamplesTest {

  @Test
  void quick_start_rings_every_second() throws Exception {
    List<Instant> slots =
        printed(() -> QuickStart.main(new String[0])).stream()
            .map(line -> Instant.parse(line.replace("the bell of ", "")))
            .toList();

    assertThat(slots).hasSizeGreaterThanOrEqualTo(3);
    assertThat(slots.get(1)).isEqualTo(slots.get(0).plusSeconds(1));
    assertThat(slots.get(2)).isEqualTo(slots.get(1).plusSeconds(1));
  }

  @Test
  void a_payload_names_the_day_before_its_slot() throws Exception {
    String line = printed(() -> DatedPayload.main(new String[0])).get(0);

    Instant slot = Instant.parse(line.substring(0, line.indexOf(' ')));
    assertThat(line)
        .endsWith(
            " report-" + slot.atZone(ZoneId.of("Europe/Rome")).toLocalDate().minusDays(1) + ".csv");
  }

  @Test
  void an_order_that_is_rolled_back_leaves_neither_row_nor_run() throws Exception {
    withPool(
        pool -> {
          TransactionalEnqueue.Left left = new TransactionalEnqueue(pool).run();

          assertThat(left.orders()).containsExactly("a rope: confirmed");
          assertThat(left.runs()).hasSize(1);
        });
  }

  @Test
  void a_report_that_takes_too_long_pages_someone() throws Exception {
    withPool(
        pool ->
            assertThat(Deadlines.run(pool).content())
                .containsEntry("event", "deadline.missed")
                .containsEntry("target", "send-report")
                .containsEntry("state", "running"));
  }

  @Test
  void failing_work_backs_off_ends_as_dead_letter_and_is_driven_again() throws Exception {
    withPool(
        pool -> {
          RetriesAndDeadLetter.Story story = RetriesAndDeadLetter.run(pool);

          assertThat(story.retries())
              .extracting(retry -> Duration.between(retry.at(), retry.nextAt()))
              .containsExactly(Duration.ofMillis(100), Duration.ofMillis(300));
          assertThat(story.deadLetter().state()).isEqualTo(RunState.FAILED);
          assertThat(story.deadLetter().attempt()).isEqualTo(3);
          assertThat(story.deadLetter().failure().orElseThrow().message()).isEqualTo("out of ink");
          assertThat(story.mended().id()).isEqualTo(story.deadLetter().id());
          assertThat(story.mended().state()).isEqualTo(RunState.SUCCEEDED);
          assertThat(story.mended().attempt()).isEqualTo(4);
        });
  }

  @Test
  void two_nodes_share_the_work_and_one_goes_on_alone() throws Exception {
    withPool(
        pool -> {
          TwoNodes.Work work = TwoNodes.run(pool);

          assertThat(work.shared()).containsExactlyInAnyOrder("north", "south");
          assertThat(work.left()).containsExactly("south");
          assertThat(work.alone()).containsExactly("south", "south", "south");
        });
  }

  private interface Use {
    void with(HikariDataSource pool) throws Exception;
  }

  private static void withPool(Use use) throws Exception {
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      use.with(pool);
    }
  }

  private interface Program {
    void run() throws Exception;
  }

  private static List<String> printed(Program program) throws Exception {
    PrintStream console = System.out;
    var printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
