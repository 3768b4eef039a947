package dev.carillon.store.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.Page;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.RunTimes;
import dev.carillon.model.Trigger;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pages of runs hold all that was asked for, once, however little each may look at. */
@ExtendWith(EmbeddedPostgres.class)
class RunPagesTest {
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Database database;

  RunPagesTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder -> {
              for (String target : List.of("bell", "gong")) {
                builder.target(
                    target,
                    context -> {
                      if (context.payload().number("fails").isPresent()) {
                        throw new IllegalStateException("The Rope tore");
                      }
                    });
              }
            });
    database = new Database(belfry.source());
    for (String key : List.of("one", "two")) {
      node.schedules()
          .create(ScheduleDraft.named(key).target("bell").every(Duration.ofMinutes(10)));
    }
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private void make(Gen any) {
    RunDraft draft =
        RunDraft.of(any.oneOf("bell", "gong"))
            .at(belfry.clock().instant().plus(any.upTo(Duration.ofMinutes(20))));
    draft = any.percent(30) ? draft.payload("fails", 1) : draft;
    draft = any.percent(30) ? draft.correlation(any.oneOf("Order-1", "order-2")) : draft;
    RunId id = node.runs().enqueue(draft);
    if (any.percent(10)) {
      node.runs().cancel(id, "not Wanted");
    }
    if (any.percent(20)) {
      node.schedules().runNow(any.oneOf("one", "two"));
    }
  }

  private void some(Gen any, int most) {
    for (int count = any.number(1, most); count > 0; count--) {
      make(any);
    }
    node.pass(any.upTo(Duration.ofMinutes(15)));
  }

  private RunFilter anyFilter(Gen any) {
    RunFilter filter = RunFilter.all();
    if (any.percent(25)) {
      filter = filter.schedule(any.oneOf("one", "two", "nobody"));
    }
    if (any.percent(25)) {
      filter = filter.state(any.oneOf(RunState.values()));
    }
    if (any.percent(25)) {
      filter = filter.target(any.oneOf("bell", "gong", "nobody"));
    }
    if (any.percent(25)) {
      filter = filter.trigger(any.oneOf(Trigger.values()));
    }
    if (any.percent(20)) {
      filter = filter.node(any.oneOf(node.carillon().nodeId(), UUID.randomUUID()));
    }
    if (any.percent(20)) {
      filter = filter.correlation(any.oneOf("Order-1", "order-2", "order-3"));
    }
    if (any.percent(30)) {
      filter = filter.text(any.oneOf("ROPE", "order", "wanted", "one", "gon", "nothing"));
    }
    if (any.percent(20)) {
      Instant from = belfry.clock().instant().minus(any.upTo(Duration.ofMinutes(40)));
      filter = filter.between(from, from.plus(any.upTo(Duration.ofMinutes(40))));
    }
    if (any.percent(20)) {
      filter = filter.times(anyTimes(any));
    }
    if (any.percent(30)) {
      filter = filter.dueBy(belfry.clock().instant());
    }
    return filter;
  }

  private RunTimes anyTimes(Gen any) {
    Optional<Instant> started = sometimes(any).map(belfry.clock().instant()::minus);
    Optional<Instant> finished = sometimes(any).map(belfry.clock().instant()::minus);
    Optional<Duration> took =
        any.percent(20) ? Optional.of(any.upTo(Duration.ofSeconds(1))) : none();
    return any.percent(50)
        ? new RunTimes(started, none(), finished, none(), took, none())
        : new RunTimes(none(), started, none(), finished, none(), took);
  }

  private static Optional<Duration> sometimes(Gen any) {
    return any.percent(60) ? Optional.of(any.upTo(Duration.ofMinutes(40))) : none();
  }

  private static <T> Optional<T> none() {
    return Optional.empty();
  }

  private static boolean fits(Run run, RunTimes times) {
    Instant never = Instant.MAX;
    Instant started = run.startedAt().orElse(never);
    Instant finished = run.finishedAt().orElse(never);
    boolean over = run.startedAt().isPresent() && run.finishedAt().isPresent();
    Duration took = over ? Duration.between(started, finished) : Duration.ZERO;
    return times.startedFrom().filter(at -> started.equals(never) || started.isBefore(at)).isEmpty()
        && times.startedUntil().filter(at -> !started.isBefore(at)).isEmpty()
        && times
            .finishedFrom()
            .filter(at -> finished.equals(never) || finished.isBefore(at))
            .isEmpty()
        && times.finishedUntil().filter(at -> !finished.isBefore(at)).isEmpty()
        && times.shortest().filter(least -> !over || took.compareTo(least) < 0).isEmpty()
        && times.longest().filter(most -> !over || took.compareTo(most) > 0).isEmpty();
  }

  private static boolean isPlanned(Run run, Instant now) {
    return run.state() == RunState.PENDING && run.dueAt().isAfter(now);
  }

  private static boolean fits(Run run, RunFilter filter) {
    String said =
        String.join(
            "\n",
            run.schedule().orElse(""),
            run.target(),
            run.correlation().orElse(""),
            run.failure().map(failure -> failure.code() + "\n" + failure.message()).orElse(""),
            run.reason().orElse(""),
            run.id().toString());
    return filter.schedule().map(Optional::of).map(run.schedule()::equals).orElse(true)
        && filter.state().map(run.state()::equals).orElse(true)
        && filter.target().map(run.target()::equals).orElse(true)
        && filter.trigger().map(run.trigger()::equals).orElse(true)
        && filter.node().map(Optional::of).map(run.node()::equals).orElse(true)
        && filter.correlation().map(Optional::of).map(run.correlation()::equals).orElse(true)
        && filter.dueBy().filter(now -> isPlanned(run, now)).isEmpty()
        && said.toLowerCase(Locale.ROOT).contains(filter.text().orElse("").toLowerCase(Locale.ROOT))
        && fits(run, filter.times())
        && !run.slot().isBefore(filter.from())
        && run.slot().isBefore(filter.until());
  }

  private List<RunId> everything(RunFilter filter) {
    return database
        .query(
            "all runs",
            """
        select any_run.*, schedule.key
          from carillon.any_run
          left join carillon.schedule
            on schedule.id = any_run.schedule_id
         order by slot desc, schedule_id desc, ordinal desc
        """,
            RunRows::toRun)
        .stream()
        .filter(run -> fits(run, filter))
        .map(Run::id)
        .toList();
  }

  private static List<RunId> pages(Function<Optional<String>, Page<Run>> pages, Runnable between) {
    var ids = new ArrayList<RunId>();
    Page<Run> page = pages.apply(Optional.empty());
    while (true) {
      page.items().forEach(run -> ids.add(run.id()));
      if (page.next().isEmpty()) {
        return ids;
      }
      between.run();
      page = pages.apply(page.next());
    }
  }

  private RunPages frugal(Gen any) {
    return new RunPages(new RunQueries(database), any.number(1, 30), any.number(1, 7));
  }

  @Property(cases = 6)
  void the_pages_of_a_list_are_the_list(Gen any) {
    some(any, 30);
    some(any, 30);
    for (int i = 0; i < 15; i++) {
      RunFilter filter = anyFilter(any);
      List<RunId> wanted = everything(filter);
      RunPages frugal = frugal(any);
      int limit = any.number(1, 9);

      assertThat(pages(after -> frugal.page(filter, after, limit, PayloadUse.INCLUDED), () -> {}))
          .as("%s", filter)
          .isEqualTo(wanted);
      assertThat(pages(after -> node.runs().page(filter, after, 50), () -> {}))
          .as("%s", filter)
          .isEqualTo(wanted);
      assertThat(node.runs().list(filter.limit(500)))
          .as("%s", filter)
          .extracting(Run::id)
          .isEqualTo(wanted);
    }
  }

  @Property(cases = 4)
  void what_was_over_is_listed_once_while_more_comes(Gen any) {
    some(any, 30);
    for (int i = 0; i < 4; i++) {
      RunFilter filter =
          anyFilter(any).state(any.oneOf(RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELED));
      List<RunId> wanted = everything(filter);
      RunPages frugal = frugal(any);

      List<RunId> listed =
          pages(
              after -> frugal.page(filter, after, 3, PayloadUse.INCLUDED),
              () -> {
                make(any);
                node.pass(Duration.ofSeconds(1));
              });

      assertThat(listed).as("%s", filter).doesNotHaveDuplicates().containsAll(wanted);
    }
  }

  @Test
  void dead_letters_are_the_failed_runs_of_a_filter() {
    RunId bell = node.runs().enqueue(RunDraft.of("bell").payload("fails", 1));
    node.runs().enqueue(RunDraft.of("gong").payload("fails", 1));
    node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();

    assertThat(
            node.runs()
                .deadLetters(RunFilter.all().target("bell").text("rope"), Optional.empty(), 10)
                .items())
        .extracting(Run::id)
        .containsExactly(bell);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                node.runs()
                    .deadLetters(RunFilter.all().state(RunState.SUCCEEDED), Optional.empty(), 10));
  }

  @Test
  void a_cursor_of_another_list_is_refused() {
    String mark = PageToken.at(PageToken.Of.SCHEDULES, "one");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.runs().page(RunFilter.all(), Optional.of(mark), 5))
        .withMessage("this cursor is of another list; use the one that came with the page before");
  }
}
