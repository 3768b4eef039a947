package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Trigger;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many schedules or runs changed at once. */
@ExtendWith(EmbeddedPostgres.class)
class BulkTest {
  private static final ScheduleFilter RED = ScheduleFilter.all().tag("red");

  private final DataSource postgres;
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Schedules schedules;

  BulkTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder.target(
                    "bell",
                    context -> {
                      if (context.payload().number("fails").isPresent()) {
                        throw new IllegalStateException("cracked");
                      }
                    }));
    schedules = node.schedules().as("ada");
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  @BeforeEach
  void twelve_hundred_schedules_every_other_of_them_red() {
    schedules.createAll(
        IntStream.range(0, 1_200)
            .mapToObj(
                i ->
                    ScheduleDraft.named("k" + i)
                        .target("bell")
                        .every(Duration.ofDays(300))
                        .tags(i % 2 == 0 ? "red" : "blue")));
  }

  private ScheduleStatus status(String key) {
    return schedules.get(key).map(Schedule::status).orElseThrow();
  }

  private List<AuditEntry> audit(String action) {
    return schedules.audit(AuditFilter.all().action(action), 1_000);
  }

  @Test
  void all_that_a_filter_wants_are_paused_and_resumed() {
    schedules.pause("k0", "long before");

    assertThat(schedules.pauseAll(RED, "the tower is closed")).isEqualTo(599);
    assertThat(status("k2")).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(status("k1")).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(schedules.get("k0").orElseThrow().pause().orElseThrow().reason())
        .isEqualTo("long before");
    assertThat(schedules.pauseAll(RED, "again")).isZero();

    assertThat(schedules.resumeAll(RED.status(ScheduleStatus.PAUSED), "it is open")).isEqualTo(600);
    assertThat(status("k2")).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(audit("schedule.resumed")).hasSize(600);
    AuditEntry all = audit("schedules.resuming").get(0);
    assertThat(all.changedBy().by()).isEqualTo("ada");
    assertThat(all.schedule()).isEmpty();
    assertThat(all.details())
        .containsEntry("reason", "it is open")
        .containsEntry("schedules", 600L)
        .containsEntry("tag", "red")
        .containsEntry("status", "paused");
  }

  private List<String> perTransaction(String table, String where, String word) {
    return new Psql(postgres)
        .rows(
            "select count(*) from carillon.%s where %s = ? group by xmin::text order by 1"
                .formatted(table, where),
            word);
  }

  @Test
  void many_schedules_are_changed_in_several_transactions() {
    assertThat(schedules.pauseAll(RED, "the tower is closed")).isEqualTo(600);

    assertThat(perTransaction("audit", "action", "schedule.paused")).containsExactly("100", "500");
  }

  @Test
  void many_runs_of_a_correlation_are_canceled_in_several_transactions() {
    node.runs()
        .enqueueAll(
            Collections.nCopies(
                2_300, RunDraft.of("bell").in(Duration.ofDays(1)).correlation("order-3")));

    assertThat(node.runs().cancelAll("order-3", "withdrawn")).isEqualTo(2_300);
    assertThat(perTransaction("history", "correlation", "order-3"))
        .containsExactly("300", "1000", "1000");
    assertThat(perTransaction("audit", "action", "run.canceled"))
        .containsExactly("300", "1000", "1000");
  }

  @Test
  void many_dead_letters_are_driven_again_in_a_few_transactions() {
    node.runs()
        .enqueueAll(
            Collections.nCopies(
                1_100, RunDraft.of("bell").payload("fails", 1).correlation("order-4")));
    node.runDue();

    assertThat(node.runs().redrive(RunFilter.all().correlation("order-4"))).isEqualTo(1_100);
    assertThat(perTransaction("run", "correlation", "order-4"))
        .containsExactly("100", "500", "500");
    assertThat(perTransaction("audit", "action", "run.retried"))
        .containsExactly("100", "500", "500");
    assertThat(node.runs().counts(Instant.EPOCH, belfry.clock().instant().plusSeconds(1)))
        .doesNotContainKey(RunState.FAILED);
  }

  @Test
  void all_that_a_filter_wants_run_now() {
    assertThat(schedules.runAll(RED.text("k11"), "a trial")).isEqualTo(55);
    node.runDue();

    assertThat(node.runs().list(RunFilter.all().trigger(Trigger.MANUAL).limit(500)))
        .hasSize(55)
        .allMatch(run -> run.state() == RunState.SUCCEEDED);
  }

  @Test
  void all_that_a_filter_wants_are_retired_for_a_reason() {
    assertThat(schedules.retireAll(RED, "no more red")).isEqualTo(600);
    assertThat(status("k0")).isEqualTo(ScheduleStatus.RETIRED);
    assertThat(status("k1")).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(audit("schedules.retiring").get(0).details()).containsEntry("reason", "no more red");
  }

  @Test
  void what_was_found_is_changed_and_nothing_that_came_later() {
    FoundSchedules found = schedules.findAll(RED.text("k11"));
    schedules.create(
        ScheduleDraft.named("k11-later").target("bell").every(Duration.ofHours(1)).tags("red"));

    assertThat(found.count()).isEqualTo(55);
    assertThat(found.first()).hasSize(FoundSchedules.SHOWN).isSorted();
    assertThat(found.pause("the tower is closed")).isEqualTo(55);
    assertThat(status("k11-later")).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(found.pause("once more")).isZero();
  }

  @Test
  void the_audit_does_not_show_a_payload() {
    schedules.pauseAll(ScheduleFilter.byPayload(Payload.of("secret", "canary")), "why not");

    assertThat(audit("schedules.pausing").toString()).doesNotContain("canary");
    assertThat(audit("schedules.pausing").get(0).details()).containsEntry("byPayload", true);
  }

  @Test
  void everything_or_nothing_said_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.pauseAll(ScheduleFilter.all(), "why not"))
        .withMessage(
            "pausing all schedules needs a filter; name a payload, target, tag, text or status, or use"
                + " findAll");
    assertThatIllegalArgumentException().isThrownBy(() -> schedules.resumeAll(RED, " "));
    assertThatIllegalArgumentException().isThrownBy(() -> schedules.runAll(RED, "a\0b"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.runs().redrive(RunFilter.all()))
        .withMessageContaining("needs a filter");
  }

  @Test
  void the_pages_of_the_audit_are_the_audit() {
    schedules.pauseAll(RED, "the tower is closed");

    for (AuditFilter filter :
        List.of(
            AuditFilter.all(),
            AuditFilter.all().action("schedule.paused"),
            AuditFilter.bySchedule("k2"),
            AuditFilter.all().actor("nobody"))) {
      var listed = new ArrayList<AuditEntry>();
      Page<AuditEntry> page = schedules.auditPage(filter, Optional.empty(), 170);
      listed.addAll(page.items());
      while (page.next().isPresent()) {
        page = schedules.auditPage(filter, page.next(), 170);
        listed.addAll(page.items());
      }
      assertThat(listed).doesNotHaveDuplicates();
      assertThat(listed.subList(0, Math.min(1_000, listed.size())))
          .isEqualTo(schedules.audit(filter, 1_000));
    }
  }

  @Test
  void dead_letters_of_a_filter_are_driven_again() {
    for (int i = 0; i < 3; i++) {
      node.runs().enqueue(RunDraft.of("bell").payload("fails", 1).correlation("order-1"));
    }
    node.runs().enqueue(RunDraft.of("bell").payload("fails", 1).correlation("order-2"));
    node.runDue();
    RunFilter one = RunFilter.all().correlation("order-1");

    assertThat(node.runs().as("bob").redrive(one)).isEqualTo(3);
    node.runDue();
    assertThat(node.runs().list(one)).allMatch(run -> run.state() == RunState.FAILED).hasSize(3);

    assertThat(node.runs().redrive(one, Payload.EMPTY)).isEqualTo(3);
    node.runDue();
    assertThat(node.runs().list(one)).extracting(Run::state).containsOnly(RunState.SUCCEEDED);
    assertThat(node.runs().redrive(one)).isZero();
    assertThat(audit("run.retried")).hasSize(6);
  }
}
