package dev.carillon.model;

/**
 * One version of a calendar.
 *
 * @param version its number, from one
 * @param definition what it says
 * @param reason why it was made; empty if nobody said
 * @param created by whom and when it was made
 */
public record CalendarVersion(
    int version, CalendarDefinition definition, String reason, ChangedBy created) {

  /** Return the name of the calendar. */
  public String name() {
    return definition.name();
  }
}
