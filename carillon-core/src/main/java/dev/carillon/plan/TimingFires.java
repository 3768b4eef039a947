package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.TimingFire;
import dev.carillon.time.DueRule;
import dev.carillon.time.Fire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Tells when the next slots of a timing are due, without a schedule. Pure. */
public final class TimingFires {
  private TimingFires() {}

  /** Judge {@code fires}, which are slots of {@code definition} in their order. */
  public static List<TimingFire> of(Definition definition, DueRule rule, List<Fire> fires) {
    var pipeline = new DuePipeline("", definition, rule);
    var slotByDue = new HashMap<Instant, Instant>();
    var judged = new ArrayList<TimingFire>();
    for (Fire fire : fires) {
      SlotDue due = pipeline.judge(fire.slot());
      Optional<String> obstacle = due.obstacle().map(SlotDue.Obstacle::because);
      if (obstacle.isEmpty()) {
        obstacle =
            Optional.ofNullable(slotByDue.putIfAbsent(due.due(), fire.slot()))
                .map("it is due at the same time as slot %s, whose run stands for both"::formatted);
      }
      Optional<Instant> dueAt = obstacle.isEmpty() ? Optional.of(due.dueAt()) : Optional.empty();
      judged.add(new TimingFire(fire, dueAt, due.moves(), obstacle));
    }
    return judged;
  }
}
