package dev.carillon.examples;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.postgres.LocalPostgres;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A payload whose placeholders are filled in for each run. */
public final class DatedPayload {
  private DatedPayload() {}

  static ScheduleDraft reports() {
    return ScheduleDraft.named("reports")
        .target("report")
        .cron("* * * * * *", "Europe/Rome")
        .payload(
            Map.of(
                "day", "${slot-1d:yyyy-MM-dd}",
                "file", "report-${payload.day}.csv",
                "attempt", "${attempt}"))
        .template();
  }

  public static void main(String[] args) throws Exception {
    var written = new CountDownLatch(1);
    try (var postgres = LocalPostgres.temporary();
        var carillon =
            Carillon.builder()
                .dataSource(postgres.dataSource())
                .target(
                    "report",
                    run -> {
                      System.out.println(run.slot() + " " + run.payload().text("file").orElse(""));
                      written.countDown();
                    })
                .build()
                .start()) {
      carillon.schedules().upsert(reports());
      written.await();
    }
  }
}
