package dev.carillon.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a change of a calendar or of quiet hours does to slots of the next thirty days, of at most a
 * thousand slots of each schedule.
 *
 * @param schedules how many schedules it is about
 * @param moved how many slots are due at another time
 * @param lost how many become no run any more
 * @param gained how many become a run now
 * @param complete whether all schedules were compared; of very many, only the first are
 */
public record SlotShift(long schedules, long moved, long lost, long gained, boolean complete) {
  /** Nothing changes. */
  public static final SlotShift NONE = new SlotShift(0, 0, 0, 0, true);

  /** Return both together. */
  public SlotShift plus(SlotShift other) {
    return new SlotShift(
        schedules + other.schedules,
        moved + other.moved,
        lost + other.lost,
        gained + other.gained,
        complete && other.complete);
  }

  /** Return the counts by what they count, as the audit and the REST contract name them. */
  public Map<String, Object> counts() {
    var counts = new LinkedHashMap<String, Object>();
    counts.put("schedules", schedules);
    counts.put("moved", moved);
    counts.put("lost", lost);
    counts.put("gained", gained);
    if (!complete) {
      counts.put("complete", false);
    }
    return counts;
  }
}
