package dev.carillon.time;

/** Says in English when a cron expression fires. */
final class CronWords {
  private CronWords() {}

  static String of(LocalSlots slots) {
    return slots.toString();
  }
}
