package dev.carillon.examples;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.model.Payload;
import dev.carillon.policy.Deadline;
import dev.carillon.postgres.LocalPostgres;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A report that takes longer than it may, and the page that says so. */
public final class Deadlines {
  private Deadlines() {}

  public static void main(String[] args) throws Exception {
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      System.out.println(run(pool).text("text").orElseThrow());
    }
  }

  /** Return what the page was given. */
  static Payload run(DataSource database) throws Exception {
    var pages = new LinkedBlockingQueue<Payload>();
    var printed = new CountDownLatch(1);
    try (var carillon =
        Carillon.builder()
            .dataSource(database)
            .target("send-report", run -> printed.await())
            .target("page-someone", run -> pages.add(run.payload()))
            .build()
            .start()) {
      carillon.schedules().upsert(nightly());
      carillon
          .runs()
          .enqueue(
              RunDraft.of("send-report")
                  .deadline(Deadline.after(Duration.ofSeconds(1), "page-someone")));
      Payload page = pages.poll(30, TimeUnit.SECONDS);
      printed.countDown();
      if (page == null) {
        throw new IllegalStateException("nobody was paged within 30 s");
      }
      return page;
    }
  }

  private static ScheduleDraft nightly() {
    return ScheduleDraft.named("nightly-report")
        .target("send-report")
        .cron("0 2 * * *", "Europe/Rome")
        .deadline(Deadline.after(Duration.ofHours(1), "page-someone"));
  }
}
