package dev.carillon.model;

/**
 * What became of a change of a calendar or of quiet hours.
 *
 * @param name its name
 * @param version its version now
 * @param changed whether it is another than before
 * @param shift what that does to slots to come
 * @param replannedRuns how many runs that were planned were taken back, moved or dropped
 */
public record RuleChange(
    String name, int version, boolean changed, SlotShift shift, long replannedRuns) {}
