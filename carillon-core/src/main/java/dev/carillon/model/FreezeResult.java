package dev.carillon.model;

import java.util.List;

/**
 * What a freeze or a thaw did.
 *
 * @param quietHours the quiet hours in which freezes were made or ended: one for everything, or one
 *     for each tag
 * @param shift what that does to slots to come; a schedule with several of the tags counts for each
 * @param replan how far the schedules concerned were planned anew when the answer was given
 */
public record FreezeResult(
    List<QuietHoursVersion> quietHours, SlotShift shift, ReplanResult replan) {
  public FreezeResult {
    quietHours = List.copyOf(quietHours);
  }

  /** Return what became of the quiet hours in which something was frozen or thawed. */
  public static FreezeResult of(List<SaveResult<QuietHoursVersion>> saved) {
    return new FreezeResult(
        saved.stream().map(SaveResult::current).toList(),
        saved.stream().map(SaveResult::shift).reduce(SlotShift.NONE, SlotShift::plus),
        ReplanResult.NOTHING);
  }

  /** Return this with how far schedules were planned anew. */
  public FreezeResult replanned(ReplanResult done) {
    return new FreezeResult(quietHours, shift, done);
  }
}
