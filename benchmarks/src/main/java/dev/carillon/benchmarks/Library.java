package dev.carillon.benchmarks;

/** A library under measurement: its benchmark methods have its name. */
enum Library {
  CARILLON("carillon", "Carillon"),
  JOBRUNR("jobRunr", "JobRunr"),
  SPRING("spring", "Spring"),
  QUARTZ("quartz", "Quartz"),
  CRON_UTILS("cronUtils", "cron-utils");

  private final String method;
  private final String title;

  Library(String method, String title) {
    this.method = method;
    this.title = title;
  }

  String method() {
    return method;
  }

  String title() {
    return title;
  }
}
