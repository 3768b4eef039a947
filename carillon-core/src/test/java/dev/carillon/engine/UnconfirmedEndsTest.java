package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Ends of attempts that are durable though writing them failed: each is published once, as it is.
 */
@ExtendWith(EmbeddedPostgres.class)
class UnconfirmedEndsTest {
  private final Belfry belfry;
  private final Psql psql;
  private final Wiretap wiretap;
  private final ManualCarillon node;

  UnconfirmedEndsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    psql = belfry.psql();
    wiretap = new Wiretap(postgres);
    node =
        belfry.nodeOn(
            wiretap.dataSource(),
            builder ->
                builder
                    .target("bell", context -> {})
                    .target(
                        "broken",
                        context -> {
                          throw new IllegalStateException("no rope");
                        })
                    .asyncTarget("elsewhere", (context, done) -> done.accept(Outcome.accepted())));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private <T extends Event> List<T> told(Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void completeTwice() {
    assertThatThrownBy(() -> node.turn(EngineLoop.COMPLETION)).isInstanceOf(StoreException.class);
    node.turn(EngineLoop.COMPLETION);
  }

  @Test
  void runs_that_ended_in_a_commit_whose_answer_was_lost_are_published_as_finished() {
    List<RunId> ids = node.runs().enqueueAll(Collections.nCopies(3, RunDraft.of("bell")));
    node.turn(EngineLoop.CLAIMING);
    wiretap.loseNextConfirmation();

    completeTwice();

    assertThat(told(Event.Finished.class))
        .extracting(event -> event.run().id())
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(told(Event.Fenced.class)).isEmpty();
    assertThat(node.carillon().metrics().succeeded()).isEqualTo(3);
    assertThat(node.carillon().activeRuns()).isZero();
  }

  @Test
  void a_retry_whose_commit_was_not_confirmed_is_published_as_a_retry() {
    Retry later = Retry.times(3).backoff(Duration.ofMinutes(1));
    RunId id = node.runs().enqueue(RunDraft.of("broken").retry(later));
    node.turn(EngineLoop.CLAIMING);
    wiretap.loseNextConfirmation();

    completeTwice();

    assertThat(told(Event.Retrying.class))
        .extracting(event -> event.run().id())
        .containsExactly(id);
    assertThat(told(Event.Fenced.class)).isEmpty();
  }

  @Test
  void a_run_that_was_accepted_in_an_unconfirmed_commit_is_published_as_accepted() {
    RunId id = node.runs().enqueue(RunDraft.of("elsewhere"));
    node.turn(EngineLoop.CLAIMING);
    wiretap.loseNextConfirmation();

    completeTwice();

    assertThat(told(Event.Accepted.class))
        .extracting(event -> event.run().id())
        .containsExactly(id);
    assertThat(told(Event.Fenced.class)).isEmpty();
  }

  @Test
  void a_run_that_was_recovered_meanwhile_is_still_fenced() {
    node.runs().enqueue(RunDraft.of("bell"));
    node.turn(EngineLoop.CLAIMING);
    psql.execute("update carillon.run set attempt = attempt + 1");
    wiretap.loseNextConfirmation();

    completeTwice();

    assertThat(told(Event.Finished.class)).isEmpty();
    assertThat(told(Event.Fenced.class)).hasSize(1);
  }

  @Test
  void when_half_of_a_refused_batch_is_written_and_the_database_goes_each_end_is_published_once() {
    List<RunId> ids = node.runs().enqueueAll(Collections.nCopies(8, RunDraft.of("bell")));
    psql.execute(
        """
        insert into carillon.history
               (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, finished_at,
                reason)
        select schedule_id, slot, ordinal, version, trigger, target, payload, due_at, 'canceled', 0, due_at, 'before'
          from carillon.run
         where schedule_id = ?
        """,
        ids.get(7).schedule());
    node.turn(EngineLoop.CLAIMING);
    var commits = new AtomicInteger();
    wiretap.onCommit(() -> wiretap.cut(commits.incrementAndGet() == 2));

    assertThatThrownBy(() -> node.turn(EngineLoop.COMPLETION)).isInstanceOf(StoreException.class);
    assertThat(told(Event.Finished.class)).isNotEmpty().hasSizeLessThan(8);
    wiretap.cut(false);
    wiretap.onCommit(() -> {});
    node.turn(EngineLoop.COMPLETION);

    assertThat(told(Event.Finished.class))
        .extracting(event -> event.run().id())
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(told(Event.Finished.class))
        .extracting(Event.Finished::state)
        .containsOnly(RunState.SUCCEEDED);
    assertThat(told(Event.Fenced.class)).isEmpty();
    assertThat(node.carillon().metrics().succeeded()).isEqualTo(8);
  }
}
