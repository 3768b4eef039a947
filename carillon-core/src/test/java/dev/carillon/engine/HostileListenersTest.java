package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Listeners that do what they should not, in a scheduler with its own threads. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class HostileListenersTest {
  private final DataSource postgres;
  private final Semaphore finished = new Semaphore(0);
  private final List<Event> events = new CopyOnWriteArrayList<>();

  HostileListenersTest(DataSource postgres) {
    this.postgres = postgres;
  }

  private void everything_goes_on_with(Listener hostile) throws InterruptedException {
    try (Carillon carillon =
        Carillon.builder()
            .dataSource(postgres)
            .poll(Duration.ofMillis(100))
            .target("bell", context -> {})
            .listener(hostile)
            .listener(
                event -> {
                  events.add(event);
                  if (event instanceof Event.Finished) {
                    finished.release();
                  }
                })
            .build()
            .start()) {
      for (int i = 0; i < 5; i++) {
        Thread.interrupted(); // events of a call are told on the thread of the caller
        carillon.runs().enqueue(RunDraft.of("bell"));
        await(1);
      }
      carillon
          .schedules()
          .upsert(ScheduleDraft.named("secondly").target("bell").every(Duration.ofSeconds(1)));
      await(3);
      carillon.schedules().retire("secondly");
      Thread.interrupted();
    }
    assertThat(events).noneMatch(Event.TurnFailed.class::isInstance);
  }

  private void await(int runs) throws InterruptedException {
    Thread.interrupted();
    assertThat(finished.tryAcquire(runs, 25, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_listener_that_leaves_the_interrupt_flag_set_ends_no_loop() throws Exception {
    everything_goes_on_with(event -> Thread.currentThread().interrupt());
  }

  @Test
  void a_listener_that_throws_what_cannot_be_described_ends_no_loop() throws Exception {
    everything_goes_on_with(
        event -> {
          throw new IllegalStateException() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
              throw new OutOfMemoryError("as the test wanted");
            }
          };
        });
  }

  @Test
  void a_listener_that_takes_its_time_is_waited_for() throws Exception {
    everything_goes_on_with(event -> pause());
  }

  private static void pause() {
    try {
      new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
