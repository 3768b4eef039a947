package dev.carillon.engine;

import static dev.carillon.engine.Chime.ended;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.DeadLetters;
import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Dismissal;
import dev.carillon.model.Page;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dead letters that somebody gives up deliberately. */
@ExtendWith(EmbeddedPostgres.class)
class DismissingTest {
  private static final RunFilter BELL = RunFilter.all().target("bell");

  private final Chime chime;
  private final ManualCarillon node;

  DismissingTest(DataSource postgres) {
    chime = new Chime(postgres);
    node = chime.node();
  }

  @BeforeEach
  void fail() {
    chime.bell.failing("no rope");
  }

  @AfterEach
  void close() {
    chime.close();
  }

  private RunId deadLetter() {
    chime.belfry.clock().advance(Duration.ofSeconds(1));
    return ended(node, RunDraft.of("bell").correlation("order-1")).id();
  }

  @Test
  void a_dismissed_dead_letter_is_none_any_more_and_says_why() {
    RunId kept = deadLetter();
    RunId dismissed = deadLetter();

    assertThat(node.runs().as("ann").dismiss(List.of(dismissed), "the order was withdrawn"))
        .isEqualTo(1);

    assertThat(node.runs().deadLetters(10)).extracting(Run::id).containsExactly(kept);
    assertThat(node.runs().deadLetters(BELL, Optional.empty(), 10).items())
        .extracting(Run::id)
        .containsExactly(kept);
    Run run = run(node, dismissed);
    assertThat(run.state()).isEqualTo(RunState.FAILED);
    assertThat(run.dismissal())
        .contains(new Dismissal("the order was withdrawn", new ChangedBy(chime.now(), "ann")));
    assertThat(node.runs().list(BELL.state(RunState.FAILED)))
        .extracting(one -> one.dismissal().isPresent())
        .containsExactly(true, false);
    assertThat(node.schedules().audit(AuditFilter.all().action("run.dismissed"), 10))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.details())
                    .containsEntry("run", dismissed.toString())
                    .containsEntry("reason", "the order was withdrawn"));
  }

  @Test
  void what_is_no_dead_letter_is_not_dismissed() {
    RunId twice = deadLetter();
    chime.bell.then(context -> {});
    RunId succeeded = deadLetter();
    RunId pending = node.runs().enqueue(RunDraft.of("bell").in(Duration.ofMinutes(1)));
    node.runs().dismiss(List.of(twice), "once");

    assertThat(node.runs().dismiss(List.of(twice, succeeded, pending), "again")).isZero();
    assertThat(run(node, twice).dismissal()).map(Dismissal::reason).contains("once");
    assertThat(run(node, succeeded).dismissal()).isEmpty();
  }

  @Test
  void a_dismissed_run_that_is_run_again_and_fails_is_a_dead_letter_again() {
    RunId id = deadLetter();
    node.runs().dismiss(List.of(id), "not needed");
    node.runs().retry(id);
    node.runDue();

    assertThat(node.runs().deadLetters(10)).extracting(Run::id).containsExactly(id);
    assertThat(run(node, id).dismissal()).isEmpty();
    assertThat(node.runs().dismiss(List.of(id), "not needed after all")).isEqualTo(1);
    assertThat(run(node, id).dismissal()).map(Dismissal::reason).contains("not needed after all");
  }

  @Test
  void dead_letters_are_dismissed_by_a_filter_and_others_are_not_driven_again() {
    for (int i = 0; i < 3; i++) {
      deadLetter();
    }
    RunId other = ended(node, RunDraft.of("bell").correlation("order-2")).id();

    assertThat(node.runs().dismiss(RunFilter.all().correlation("order-1"), "withdrawn"))
        .isEqualTo(3);
    assertThat(node.runs().redrive(BELL)).isEqualTo(1);
    assertThat(run(node, other).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void what_was_found_is_changed_and_nothing_that_came_later() {
    deadLetter();
    deadLetter();
    DeadLetters found = node.runs().findDeadLetters(BELL);
    RunId later = deadLetter();

    assertThat(found.count()).isEqualTo(2);
    assertThat(found.first()).hasSize(2).allMatch(Run::isDeadLetter);
    assertThat(found.dismiss("seen")).isEqualTo(2);
    assertThat(node.runs().deadLetters(10)).extracting(Run::id).containsExactly(later);
    assertThat(found.redrive()).isZero();
  }

  @Test
  void pages_of_dead_letters_leave_the_dismissed_out_and_end() {
    var kept = new ArrayList<RunId>();
    for (int i = 0; i < 12; i++) {
      RunId id = deadLetter();
      if (i % 3 == 0) {
        kept.add(0, id);
      } else {
        node.runs().dismiss(List.of(id), "noise");
      }
    }
    var listed = new ArrayList<RunId>();
    Optional<String> after = Optional.empty();
    do {
      Page<Run> page = node.runs().deadLetters(RunFilter.all(), after, 2);
      page.items().forEach(run -> listed.add(run.id()));
      after = page.next();
    } while (after.isPresent());

    assertThat(listed).isEqualTo(kept);
  }

  @Test
  void dismissing_needs_a_reason_and_says_which() {
    RunId id = deadLetter();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.runs().dismiss(List.of(id), " "))
        .withMessage(
            "dismissing needs a reason of 1 to 1000 characters: it is shown to whoever wonders");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.runs().dismiss(RunFilter.all(), "all of it"))
        .withMessageContaining("needs a filter");
  }

  @Test
  void dismissals_go_when_their_runs_go() {
    deadLetter();
    node.runs().dismiss(BELL, "seen");
    chime.belfry.clock().advance(Duration.ofDays(400));
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HOUSEKEEPING);

    assertThat(chime.belfry.psql().rows("select reason from carillon.dismissal")).isEmpty();
  }
}
