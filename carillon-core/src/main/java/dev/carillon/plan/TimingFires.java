package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.TimingFire;
import dev.carillon.time.DueRule;
import dev.carillon.time.Fire;
import dev.carillon.time.Timing;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Tells when the next slots of a timing are due, without a schedule. Pure. */
public final class TimingFires {
  private TimingFires() {}

  /**
   * Judge the next {@code count} slots of {@code definition} that have not come by {@code after}.
   */
  public static List<TimingFire> of(
      Definition definition, DueRule rule, ZoneId zone, Instant after, int count) {
    Timing timing = definition.timing();
    var pipeline = new DuePipeline("", definition, rule);
    var slotByDue = new HashMap<Instant, Instant>();
    var judged = new ArrayList<TimingFire>();
    for (Fire fire : Fire.next(timing, zone, SlotsToCome.after(timing, rule, after), count)) {
      SlotDue due = pipeline.judge(fire.slot());
      Optional<String> obstacle = due.obstacle().map(SlotDue.Obstacle::because);
      if (obstacle.isEmpty()) {
        obstacle =
            Optional.ofNullable(slotByDue.putIfAbsent(due.due(), fire.slot()))
                .map("it is due at the same time as slot %s, whose run stands for both"::formatted);
      }
      Optional<Instant> dueAt = obstacle.isEmpty() ? Optional.of(due.dueAt()) : Optional.empty();
      judged.add(new TimingFire(shown(timing, fire, due), dueAt, due.moves(), obstacle));
    }
    return judged;
  }

  /* On the clock, the time that a calendar lets a slot stand for. */
  private static Fire shown(Timing timing, Fire fire, SlotDue due) {
    return timing instanceof CalendarTiming
        ? new Fire(fire.slot(), due.due().atZone(fire.local().getZone()), fire.note())
        : fire;
  }
}
