package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.store.jdbc.Announcements;
import dev.carillon.store.jdbc.Database;
import dev.carillon.testing.RecordingTarget;
import dev.carillon.testing.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds the loops and tables in {@code docs/architecture.md} to what an engine does. */
@ExtendWith(EmbeddedPostgres.class)
class ArchitectureLoopsTest {
  private static final Pattern LOOP =
      Pattern.compile("^\\| `([A-Z]+)` \\| `(\\w+)` \\|.*\\| ([0-9.]+) s \\|$", Pattern.MULTILINE);
  private static final Pattern ROW = Pattern.compile("^\\| (`[^|]*`) \\|", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  /* A row of the table of loops, or what is found instead. */
  record Described(String loop, String step, Duration idle) {}

  @Test
  void the_page_has_every_loop_with_its_step_and_its_rest(DataSource postgres) throws IOException {
    assertThat(
            LOOP.matcher(section("Loops and threads"))
                .results()
                .map(ArchitectureLoopsTest::described))
        .containsExactlyElementsOf(loops(postgres));
  }

  private static Described described(MatchResult row) {
    long millis = Math.round(Double.parseDouble(row.group(3)) * 1000);
    return new Described(row.group(1), row.group(2), Duration.ofMillis(millis));
  }

  /* Each takes a turn on a node that has nothing to do. */
  private static List<Described> loops(DataSource postgres) {
    var clock = TestClock.at("2026-01-01T00:00:00Z");
    var made = new AtomicReference<Engine>();
    var builder = Carillon.builder().dataSource(postgres).target("bell", new RecordingTarget());
    try (Carillon carillon = builder.buildManual(clock, Runnable::run, made::set).start()) {
      Engine engine = Objects.requireNonNull(made.get());
      var loops = new ArrayList<Described>();
      engine.steps().forEach((loop, step) -> loops.add(rest(loop, step, clock.instant())));
      try (var signals = new WakeUpSignals(new Announcements(postgres), engine.wakeups())) {
        loops.add(rest(EngineLoop.SIGNALS, signals, clock.instant()));
      }
      loops.add(clock(engine, postgres));
      loops.add(rest(EngineLoop.SUPERVISION, new LoopSupervisor(), clock.instant()));
      assertThat(loops)
          .extracting(Described::loop)
          .containsExactlyElementsOf(
              Arrays.stream(EngineLoop.values()).map(EngineLoop::name).toList());
      assertThat(carillon.activeRuns()).isZero();
      return loops;
    }
  }

  private static Described rest(EngineLoop loop, Step step, Instant now) {
    return new Described(loop.name(), name(step), step.run(now));
  }

  /* Launching is a method of the dispatcher. */
  private static String name(Step step) {
    Class<?> type = step.getClass();
    return type.isHidden() ? Dispatcher.class.getSimpleName() : type.getSimpleName();
  }

  /* Its rest is a heartbeat, as is that of housekeeping. */
  private static Described clock(Engine engine, DataSource postgres) {
    var time = new DatabaseClock(engine.nodes()::clock, System::nanoTime);
    var runner =
        new Runner(
            engine,
            settings(engine.turn(EngineLoop.HOUSEKEEPING)),
            time,
            Executors.newSingleThreadExecutor(),
            new Announcements(postgres),
            event -> {});
    Duration rest = runner.syncClock();
    runner.stop();
    return new Described(EngineLoop.CLOCK.name(), DatabaseClock.class.getSimpleName(), rest);
  }

  private static EngineSettings settings(Duration heartbeat) {
    Duration second = Duration.ofSeconds(1);
    Duration day = Duration.ofDays(1);
    Duration lease = heartbeat.multipliedBy(2);
    return new EngineSettings(
        second, second, second, heartbeat, lease, 1, 1, second, day, day, 1, "a node", "a version");
  }

  @Test
  void the_page_has_every_table_and_no_other(DataSource postgres) throws IOException {
    List<String> existing =
        new Database(postgres)
            .query(
                "tables",
                """
                select class.relname as name
                  from pg_class as class
                 where class.relnamespace = 'carillon'::regnamespace
                   and class.relkind in ('r', 'p')
                   and (not class.relispartition or class.relname = 'history_default')
                """,
                row -> row.text("name"));

    assertThat(
            ROW.matcher(section("Tables")).results().flatMap(row -> names(row.group(1))).toList())
        .containsExactlyInAnyOrderElementsOf(existing);
  }

  @Test
  void the_page_has_every_view_and_no_other(DataSource postgres) throws IOException {
    String views = section("Tables").substring(section("Tables").indexOf("\nViews: "));
    List<String> existing =
        new Database(postgres)
            .query(
                "views",
                """
                select class.relname as name
                  from pg_class as class
                 where class.relnamespace = 'carillon'::regnamespace
                   and class.relkind = 'v'
                """,
                row -> row.text("name"));

    assertThat(new TreeSet<>(names(views).toList())).isEqualTo(new TreeSet<>(existing));
  }

  private static Stream<String> names(String text) {
    return NAME.matcher(text).results().map(name -> name.group(1));
  }

  private static String section(String title) throws IOException {
    String page = Files.readString(Path.of("../docs/architecture.md"));
    int start = page.indexOf("\n## " + title + "\n");
    assertThat(start).as(title).isNotNegative();
    int end = page.indexOf("\n## ", start + 1);
    return page.substring(start, end < 0 ? page.length() : end);
  }
}
