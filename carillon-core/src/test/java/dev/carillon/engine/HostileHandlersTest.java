package dev.carillon.engine;

import static dev.carillon.engine.Chime.ended;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.target.Outcome;
import dev.carillon.target.Target;
import dev.carillon.testing.ManualCarillon;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever a handler throws, the end of its run is recorded and its lane is free. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class HostileHandlersTest {
  private final Chime chime;
  private final ManualCarillon node;
  private Target hostile = (context, done) -> done.accept(Outcome.succeeded());

  HostileHandlersTest(DataSource postgres) {
    chime = new Chime(postgres);
    node =
        chime.belfry.node(
            builder ->
                builder
                    .target("bell", chime.bell)
                    .asyncTarget("hostile", (context, done) -> hostile.start(context, done)));
  }

  @AfterEach
  void close() {
    chime.close();
  }

  private Run thrown(Throwable e) {
    chime.bell.then(context -> sneak(e));
    return ended(node, RunDraft.of("bell"));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable e) throws E {
    throw (E) e;
  }

  private static Failure failure(Run run) {
    assertThat(run.state()).isEqualTo(RunState.FAILED);
    return run.failure().orElseThrow();
  }

  /** An exception of whose methods one does as it likes. */
  private static class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    Hostile() {
      super("no rope");
    }
  }

  @Test
  void a_trace_is_as_java_prints_it() {
    var suppressed = new IllegalStateException("a second one");
    var e =
        new IllegalStateException("no rope", new IllegalArgumentException("no bell", causeOf()));
    e.addSuppressed(suppressed);
    var printed = new StringWriter();
    e.printStackTrace(new PrintWriter(printed));

    assertThat(failure(thrown(e)).details())
        .contains(
            printed
                .toString()
                .replace(System.lineSeparator(), "\n")
                .substring(0, Math.min(printed.toString().length(), Failure.MAX_DETAILS)));
  }

  private static Throwable causeOf() {
    return new Exception("no tower");
  }

  @Test
  void an_exception_whose_text_throws_is_known_by_its_class_and_trace() {
    Failure failure =
        failure(
            thrown(
                new Hostile() {
                  private static final long serialVersionUID = 1;

                  @Override
                  @SuppressWarnings("OverrideThrowableToString")
                  public String toString() {
                    throw new IllegalStateException("no words");
                  }
                }));

    assertThat(failure.message()).isEqualTo("no rope");
    assertThat(failure.details().orElseThrow())
        .startsWith(HostileHandlersTest.class.getName() + "$")
        .contains("\n\tat ");
  }

  @Test
  void an_exception_whose_message_runs_out_of_memory_is_recorded() {
    Failure failure =
        failure(
            thrown(
                new Hostile() {
                  private static final long serialVersionUID = 1;

                  @Override
                  public String getMessage() {
                    throw new OutOfMemoryError("as the test wanted");
                  }
                }));

    assertThat(failure.message()).isEqualTo("an exception that cannot be described");
  }

  @Test
  void an_exception_whose_frames_run_out_of_memory_is_recorded_without_them() {
    Failure failure =
        failure(
            thrown(
                new Hostile() {
                  private static final long serialVersionUID = 1;

                  @Override
                  public StackTraceElement[] getStackTrace() {
                    throw new OutOfMemoryError("as the test wanted");
                  }
                }));

    assertThat(failure.message()).isEqualTo("no rope");
    assertThat(failure.details()).isEmpty();
  }

  @Test
  void an_exception_that_names_itself_as_its_cause_is_recorded() {
    var first = new IllegalStateException("first");
    var second = new IllegalStateException("second", first);
    first.initCause(second);

    assertThat(failure(thrown(first)).details().orElseThrow())
        .containsOnlyOnce("IllegalStateException: first")
        .containsOnlyOnce("Caused by: java.lang.IllegalStateException: second");
  }

  private static class Endless extends RuntimeException {
    private static final long serialVersionUID = 1;

    Endless() {
      super("without end", null, false, false);
    }

    @Override
    public synchronized Throwable getCause() {
      return new Endless();
    }
  }

  @Test
  void an_exception_with_causes_without_end_is_recorded_within_bounds() {
    assertThat(failure(thrown(new Endless())).details().orElseThrow().length())
        .isLessThanOrEqualTo(Failure.MAX_DETAILS);
  }

  @Test
  void a_huge_message_of_a_cause_is_cut() {
    var cause = new IllegalStateException("x".repeat(20_000_000));

    assertThat(failure(thrown(new IllegalStateException("no rope", cause))).details().orElseThrow())
        .contains("Caused by: java.lang.IllegalStateException: xxx")
        .hasSizeLessThanOrEqualTo(Failure.MAX_DETAILS);
  }

  @Test
  void an_end_that_is_told_when_the_stack_is_full_is_recorded() {
    hostile = (context, done) -> dive(done);

    assertThat(ended(node, RunDraft.of("hostile")).state()).isEqualTo(RunState.SUCCEEDED);
  }

  /* Says so at every depth, from where there is no stack left to where there is plenty. */
  @SuppressWarnings("InfiniteRecursion")
  private static void dive(Consumer<Outcome> done) {
    try {
      dive(done);
    } finally {
      done.accept(Outcome.succeeded());
    }
  }

  @Test
  void an_outcome_without_a_failure_is_a_failure_of_its_run_alone() {
    hostile = (context, done) -> done.accept(Outcome.failed(nothing()));
    RunId bad = node.runs().enqueue(RunDraft.of("hostile"));
    RunId good = node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();

    assertThat(failure(run(node, bad)).message()).isEqualTo("what failed has a failure");
    assertThat(run(node, good).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  @Test
  void the_next_run_of_the_schedule_starts_after_one_that_threw_the_worst() {
    node.schedules().create(ScheduleDraft.named("minutely").target("bell").cron("* * * * *"));
    chime.bell.then(
        context ->
            sneak(
                new Endless() {
                  private static final long serialVersionUID = 1;

                  @Override
                  public String getMessage() {
                    throw new StackOverflowError();
                  }
                }));
    node.pass(Duration.ofMinutes(3));

    List<RunState> states =
        chime.bell.calls().stream().map(call -> run(node, call.id()).state()).toList();
    assertThat(states).hasSize(3).containsOnly(RunState.FAILED);
  }

  @Test
  void a_target_that_ends_with_null_instead_of_an_outcome_has_failed() {
    var said = new ArrayList<Consumer<Outcome>>();
    hostile = (context, done) -> said.add(done);
    RunId id = node.runs().enqueue(RunDraft.of("hostile"));
    node.runDue();
    said.get(0).accept(nothing());
    node.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(node, id).failure())
        .contains(
            Failure.of("no_outcome", "the target ended without an outcome: null does not say how"));
  }

  @Test
  void a_target_that_locks_its_context_holds_up_no_loop() throws Exception {
    var held = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    hostile =
        (context, done) -> {
          var selfish =
              new Thread(
                  () -> {
                    synchronized (context) {
                      held.countDown();
                      done.accept(awaited(goOn));
                    }
                  });
          selfish.start();
          held.await();
          context.progress("half");
        };
    RunId id = node.runs().enqueue(RunDraft.of("hostile"));
    node.runDue();

    assertThat(run(node, id).progress()).contains("half");
    goOn.countDown();
    while (run(node, id).state() != RunState.SUCCEEDED) {
      node.runDue();
    }
  }

  private static Outcome awaited(CountDownLatch latch) {
    try {
      latch.await();
      return Outcome.succeeded();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
