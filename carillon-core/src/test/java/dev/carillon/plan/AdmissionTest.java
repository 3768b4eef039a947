package dev.carillon.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.EndReason;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.plan.Admission.Admitted;
import dev.carillon.plan.Admission.Replaced;
import dev.carillon.policy.Overlap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionTest {
  private static final long LANE = 7;
  private static final RunId OTHER = Runs.due(LANE, 0, Overlap.SKIP).id();

  /* The lane is free or taken by a run that is not due, with so many waiting for it; three runs are
   * due. */
  @ParameterizedTest(name = "{0} in a lane that is {1} with {2} waiting: {3}")
  @CsvSource({
    "ALLOW, free, 0, START START START",
    "ALLOW, taken, 5, START START START",
    "SKIP, free, 0, START SKIP SKIP",
    "SKIP, taken, 0, SKIP SKIP SKIP",
    "QUEUE, free, 0, START WAIT WAIT",
    "QUEUE, taken, 0, WAIT WAIT SKIP",
    "QUEUE, taken, 1, WAIT SKIP SKIP",
    "QUEUE, taken, 2, SKIP SKIP SKIP",
    "QUEUE_ONE, free, 0, START WAIT SKIP",
    "QUEUE_ONE, taken, 0, WAIT SKIP SKIP",
    "QUEUE_ONE, taken, 1, SKIP SKIP SKIP",
    "CANCEL_PREVIOUS, free, 0, SKIP SKIP START",
    "CANCEL_PREVIOUS, taken, 0, SKIP SKIP WAIT",
    "CANCEL_PREVIOUS, taken, 1, SKIP SKIP WAIT"
  })
  void due_runs_of_a_lane_go_as_their_overlap_rule_says(
      Overlap.Rule rule, String lane, int waiting, String answers) {
    Optional<RunId> holder = lane.equals("taken") ? Optional.of(OTHER) : Optional.empty();

    Admission admission =
        Admission.judge(
            due(new Overlap(rule, rule == Overlap.Rule.QUEUE ? 2 : 0)),
            lanes(holder, waiting),
            Set.of());

    assertThat(answers(admission)).isEqualTo(answers);
  }

  @Test
  void runs_are_answered_in_the_order_they_were_given() {
    List<Run> due = due(Overlap.CANCEL_PREVIOUS);

    Admission admission = Admission.judge(due, lanes(Optional.empty(), 0), Set.of());

    assertThat(admission.judged()).extracting(Admitted::run).isEqualTo(due);
  }

  @Test
  void a_run_that_replaces_another_asks_it_to_stop_on_behalf_of_the_newest() {
    List<Run> due = due(Overlap.CANCEL_PREVIOUS);

    Admission admission = Admission.judge(due, lanes(Optional.of(OTHER), 1), Set.of());

    assertThat(admission.replaced())
        .containsExactly(new Replaced(Optional.of(OTHER), due.get(2).id()));
    assertThat(reasons(admission))
        .containsExactly("replaced by a newer run", "replaced by a newer run");
  }

  @Test
  void a_run_is_not_started_only_to_be_stopped_by_the_next() {
    Admission admission =
        Admission.judge(due(Overlap.CANCEL_PREVIOUS), lanes(Optional.empty(), 0), Set.of());

    assertThat(answers(admission)).isEqualTo("SKIP SKIP START");
    assertThat(admission.replaced()).isEmpty();
  }

  @Test
  void a_holder_that_is_to_be_tried_again_makes_way_wherever_it_stands_among_the_due() {
    List<Run> due = due(Overlap.CANCEL_PREVIOUS);

    Admission first =
        Admission.judge(due.subList(0, 2), lanes(Optional.of(due.get(0).id()), 0), Set.of());
    Admission second =
        Admission.judge(due.subList(0, 2), lanes(Optional.of(due.get(1).id()), 0), Set.of());

    assertThat(answers(first)).isEqualTo("SKIP START");
    assertThat(answers(second)).isEqualTo("START SKIP");
    assertThat(first.replaced()).isEmpty();
    assertThat(second.replaced()).isEmpty();
  }

  @Test
  void the_holder_of_a_lane_is_tried_again_whoever_waits() {
    Run holder = Runs.due(LANE, 1, Overlap.SKIP);

    Admission admission =
        Admission.judge(List.of(holder), lanes(Optional.of(holder.id()), 3), Set.of(holder.id()));

    assertThat(answers(admission)).isEqualTo("START");
  }

  @Test
  void a_run_behind_an_older_one_that_is_not_at_hand_is_left() {
    List<Run> due = due(Overlap.QUEUE);
    Set<RunId> behind = due.stream().map(Run::id).collect(Collectors.toSet());

    Admission admission = Admission.judge(due, lanes(Optional.empty(), 0), behind);

    assertThat(answers(admission)).isEqualTo("LEAVE LEAVE LEAVE");
  }

  @Test
  void a_lane_that_another_node_looks_at_is_left_to_it() {
    assertThat(answers(Admission.judge(due(Overlap.SKIP), Map.of(), Set.of())))
        .isEqualTo("LEAVE LEAVE LEAVE");
    assertThat(answers(Admission.judge(due(Overlap.ALLOW), Map.of(), Set.of())))
        .isEqualTo("START START START");
  }

  @Test
  void a_run_behind_another_starts_if_it_may_run_beside_it() {
    Run run = Runs.due(LANE, 1, Overlap.ALLOW);

    assertThat(
            answers(Admission.judge(List.of(run), lanes(Optional.of(OTHER), 1), Set.of(run.id()))))
        .isEqualTo("START");
  }

  @Test
  void lanes_do_not_disturb_one_another() {
    Run mine = Runs.due(LANE, 1, Overlap.CANCEL_PREVIOUS);
    Run theirs = Runs.due(8, 1, Overlap.QUEUE);
    RunId holder = Runs.due(8, 0, Overlap.QUEUE).id();
    Map<Long, Lane> lanes =
        Map.of(
            LANE, new Lane(LANE, Optional.of(OTHER), 0), 8L, new Lane(8, Optional.of(holder), 0));

    Admission admission = Admission.judge(List.of(theirs, mine), lanes, Set.of());

    assertThat(answers(admission)).isEqualTo("WAIT WAIT");
    assertThat(admission.replaced()).containsExactly(new Replaced(Optional.of(OTHER), mine.id()));
  }

  @Test
  void a_run_beside_a_lane_neither_takes_it_nor_is_replaced() {
    Run beside = Runs.due(LANE, 1, Overlap.ALLOW);
    Run first = Runs.due(LANE, 2, Overlap.CANCEL_PREVIOUS);
    Run second = Runs.due(LANE, 3, Overlap.CANCEL_PREVIOUS);

    Admission admission =
        Admission.judge(List.of(beside, first, second), lanes(Optional.empty(), 0), Set.of());

    assertThat(answers(admission)).isEqualTo("START SKIP START");
  }

  @Test
  void a_skipped_run_says_what_it_met() {
    List<Run> due = due(Overlap.QUEUE_ONE);

    assertThat(reasons(Admission.judge(due(Overlap.SKIP), lanes(Optional.of(OTHER), 0), Set.of())))
        .first()
        .isEqualTo("run " + OTHER + " is unfinished");
    assertThat(reasons(Admission.judge(due, lanes(Optional.empty(), 0), Set.of())))
        .containsExactly("run " + due.get(0).id() + " is unfinished and 1 waits for it");
  }

  @Test
  void a_run_that_waits_as_long_as_it_takes_is_never_skipped() {
    List<Run> asked = due(Overlap.IN_TURN);

    assertThat(answers(Admission.judge(asked, lanes(Optional.of(OTHER), 20_000), Set.of())))
        .isEqualTo("WAIT WAIT WAIT");
    assertThat(answers(Admission.judge(asked, lanes(Optional.empty(), 0), Set.of())))
        .isEqualTo("START WAIT WAIT");
  }

  @Test
  void runs_that_wait_as_long_as_it_takes_leave_the_queue_to_others() {
    Run asked = Runs.due(LANE, 1, Overlap.IN_TURN);
    Run first = Runs.due(LANE, 2, Overlap.QUEUE_ONE);
    Run second = Runs.due(LANE, 3, Overlap.QUEUE_ONE);

    Admission admission =
        Admission.judge(List.of(asked, first, second), lanes(Optional.of(OTHER), 0), Set.of());

    assertThat(answers(admission)).isEqualTo("WAIT WAIT SKIP");
  }

  @Test
  void a_newer_run_replaces_neither_a_firm_holder_nor_those_that_wait_as_long_as_it_takes() {
    Run asked = Runs.due(LANE, 1, Overlap.IN_TURN);
    Run older = Runs.due(LANE, 2, Overlap.CANCEL_PREVIOUS);
    Run newer = Runs.due(LANE, 3, Overlap.CANCEL_PREVIOUS);
    List<Run> due = List.of(asked, older, newer);

    Admission held =
        Admission.judge(due, Map.of(LANE, new Lane(LANE, Optional.of(OTHER), true, 0)), Set.of());
    Admission free = Admission.judge(due, lanes(Optional.empty(), 0), Set.of());

    assertThat(answers(held)).isEqualTo("WAIT SKIP WAIT");
    assertThat(held.replaced()).containsExactly(new Replaced(Optional.empty(), newer.id()));
    assertThat(answers(free)).isEqualTo("START SKIP WAIT");
    assertThat(free.replaced()).containsExactly(new Replaced(Optional.empty(), newer.id()));
  }

  private static List<Run> due(Overlap overlap) {
    return IntStream.rangeClosed(1, 3).mapToObj(number -> Runs.due(LANE, number, overlap)).toList();
  }

  private static Map<Long, Lane> lanes(Optional<RunId> holder, int waiting) {
    return Map.of(LANE, new Lane(LANE, holder, waiting));
  }

  private static String answers(Admission admission) {
    return admission.judged().stream()
        .map(admitted -> admitted.answer().name())
        .collect(Collectors.joining(" "));
  }

  private static List<String> reasons(Admission admission) {
    return admission.judged().stream()
        .flatMap(admitted -> admitted.reason().stream().map(EndReason::text))
        .toList();
  }
}
