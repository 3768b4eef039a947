/** Computes when schedules fire: by cron expressions, intervals and single instants. */
module dev.carillon.time {
  requires static org.jspecify;

  exports dev.carillon.time;
  exports dev.carillon.time.business;
}
