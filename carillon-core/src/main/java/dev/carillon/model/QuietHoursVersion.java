package dev.carillon.model;

/**
 * One version of quiet hours.
 *
 * @param version its number, from one
 * @param definition what it says
 * @param reason why it was made; empty if nobody said
 * @param created by whom and when it was made
 */
public record QuietHoursVersion(
    int version, QuietHoursDefinition definition, String reason, ChangedBy created) {

  /** Return the name of the quiet hours. */
  public String name() {
    return definition.name();
  }
}
