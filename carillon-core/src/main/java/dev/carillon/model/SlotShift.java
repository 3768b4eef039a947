package dev.carillon.model;

/**
 * What a change of a calendar or of quiet hours does to slots of the next thirty days, of at most a
 * thousand slots of each schedule.
 *
 * @param schedules how many schedules it is about
 * @param moved how many slots are due at another time
 * @param lost how many become no run any more
 * @param gained how many become a run now
 */
public record SlotShift(long schedules, long moved, long lost, long gained) {
  /** Nothing changes. */
  public static final SlotShift NONE = new SlotShift(0, 0, 0, 0);

  /** Return both together. */
  public SlotShift plus(SlotShift other) {
    return new SlotShift(
        schedules + other.schedules, moved + other.moved, lost + other.lost, gained + other.gained);
  }
}
