package dev.carillon.examples;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.event.Event;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.policy.Retry;
import dev.carillon.postgres.LocalPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Work that fails: it is tried three times with growing pauses, ends as a dead letter, and succeeds
 * when it is driven again after the repair.
 */
public final class RetriesAndDeadLetter {
  private RetriesAndDeadLetter() {}

  /**
   * What happened.
   *
   * @param retries the failures after which it was tried again
   * @param deadLetter the run when it was given up
   * @param mended the same run after it was driven again
   */
  record Story(List<Event.Retrying> retries, Run deadLetter, Run mended) {}

  public static void main(String[] args) throws Exception {
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      Story story = run(pool);
      story.retries().forEach(RetriesAndDeadLetter::print);
      print(story.deadLetter());
      print(story.mended());
    }
  }

  static Story run(DataSource database) throws Exception {
    var repaired = new AtomicBoolean();
    var finished = new Finished();
    var retries = new CopyOnWriteArrayList<Event.Retrying>();
    try (var carillon =
        Carillon.builder()
            .dataSource(database)
            .target("press", run -> press(repaired.get()))
            .listener(finished)
            .listener(
                event -> {
                  if (event instanceof Event.Retrying retrying) {
                    retries.add(retrying);
                  }
                })
            .build()
            .start()) {
      RunId id =
          carillon
              .runs()
              .enqueue(
                  RunDraft.of("press")
                      .payload("pages", 12)
                      .retry(Retry.times(3).backoff(Duration.ofMillis(100)).factor(3)));
      finished.next();
      Run deadLetter = carillon.runs().deadLetters(10).get(0);

      repaired.set(true);
      carillon.runs().redrive(List.of(deadLetter.id()));
      finished.next();
      return new Story(List.copyOf(retries), deadLetter, carillon.runs().get(id).orElseThrow());
    }
  }

  private static void press(boolean repaired) {
    if (!repaired) {
      throw new IllegalStateException("out of ink");
    }
  }

  private static void print(Event.Retrying retry) {
    System.out.printf(
        "attempt %d failed: %s; the next after %d ms%n",
        retry.attempt(),
        retry.failure().message(),
        Duration.between(retry.at(), retry.nextAt()).toMillis());
  }

  private static void print(Run run) {
    System.out.printf("attempt %d: the run is %s%n", run.attempt(), run.state());
  }
}
