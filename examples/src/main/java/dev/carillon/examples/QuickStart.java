package dev.carillon.examples;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.postgres.LocalPostgres;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A schedule that fires every second, on a PostgreSQL that lives as long as the program. */
public final class QuickStart {
  private QuickStart() {}

  public static void main(String[] args) throws Exception {
    var rung = new CountDownLatch(3);
    try (var postgres = LocalPostgres.temporary();
        var carillon =
            Carillon.builder()
                .dataSource(postgres.dataSource())
                .target(
                    "bell",
                    run -> {
                      System.out.println("the bell of " + run.slot());
                      rung.countDown();
                    })
                .build()
                .start()) {
      var everySecond = ScheduleDraft.named("chime").target("bell").every(Duration.ofSeconds(1));
      carillon.schedules().upsert(everySecond);
      rung.await();
    }
  }
}
