/** Knows when: cron expressions, intervals, one-shots and what daylight saving does to them. */
module dev.carillon.time {
  requires static org.jspecify;

  exports dev.carillon.time;
}
