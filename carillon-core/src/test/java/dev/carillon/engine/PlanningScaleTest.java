package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.OutsideHours;
import dev.carillon.time.business.Roll;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Prints what planning costs without a calendar and with one on every schedule, in turns: {@code
 * -Dplanning.schedules=20000} says of how many schedules, without it nothing is measured. The
 * processor time, that of PostgreSQL included, says the same on a machine that is busy.
 */
@ExtendWith(EmbeddedPostgres.class)
@EnabledIfSystemProperty(named = "planning.schedules", matches = "\\d+")
class PlanningScaleTest {
  private static final int ROUNDS = 7;
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  private final int many = Integer.getInteger("planning.schedules", 0);
  private final DataSource postgres;

  PlanningScaleTest(DataSource postgres) {
    this.postgres = postgres;
  }

  @Test
  void the_cost_of_planning_is_printed() {
    var plain = new Cost[ROUNDS];
    var ruled = new Cost[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      plain[round] = cost(false);
      ruled[round] = cost(true);
      print("round " + (round + 1), plain[round], ruled[round]);
    }
    print(
        "%d schedules, median of %d rounds".formatted(many, ROUNDS), median(plain), median(ruled));
  }

  /** How fast it was, and the processor time of each schedule. */
  private record Cost(double perSecond, double micros) {}

  private static void print(String what, Cost plain, Cost ruled) {
    System.out.printf(
        Locale.ROOT,
        "planning, %s: %.0f schedules/s without a calendar, %.0f with one, ratio %.2f; processor time %.1f and %.1f us, ratio %.2f%n",
        what,
        plain.perSecond,
        ruled.perSecond,
        ruled.perSecond / plain.perSecond,
        plain.micros,
        ruled.micros,
        plain.micros / ruled.micros);
  }

  private Cost cost(boolean withCalendar) {
    try (var belfry = new Belfry(postgres)) {
      ManualCarillon node = belfry.node(builder -> builder.target("bell", run -> {}));
      node.carillon()
          .calendars()
          .save(
              BusinessCalendar.named("it", ROME)
                  .holiday(LocalDate.ofInstant(belfry.clock().instant(), ROME).plusDays(1), "feast")
                  .build());
      node.schedules().createAll(IntStream.range(0, many).mapToObj(i -> draft(i, withCalendar)));
      belfry
          .psql()
          .execute("analyze carillon.schedule, carillon.schedule_version, carillon.cursor");
      planAll(node);
      belfry.clock().advance(Duration.ofMinutes(1));
      node.turn(EngineLoop.HEARTBEAT);
      long before = runs(belfry);
      long used = processorNanos(belfry);
      long begin = System.nanoTime();
      planAll(node);
      double seconds = (System.nanoTime() - begin) / 1e9;
      double micros = (processorNanos(belfry) - used) / 1e3 / many;
      long planned = runs(belfry) - before;
      assertThat(planned).isPositive();
      return new Cost(planned / seconds, micros);
    }
  }

  /* Of this thread, which plans, and of the sessions of PostgreSQL. */
  private static long processorNanos(Belfry belfry) {
    long sessions =
        belfry
            .psql()
            .rows("select pid from pg_stat_activity where backend_type = 'client backend'")
            .stream()
            .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
            .flatMap(session -> session.info().totalCpuDuration().stream())
            .mapToLong(Duration::toNanos)
            .sum();
    return sessions + ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void planAll(ManualCarillon node) {
    while (node.turn(EngineLoop.PLANNING).compareTo(Duration.ofSeconds(1)) < 0) {
      // until all are planned as far ahead as they are to be
    }
  }

  private static long runs(Belfry belfry) {
    return Long.parseLong(belfry.psql().rows("select count(*) from carillon.run").get(0));
  }

  private static ScheduleDraft draft(int number, boolean withCalendar) {
    ScheduleDraft draft =
        ScheduleDraft.named("s" + number).target("bell").cron("* * * * *", ROME.getId());
    return withCalendar
        ? draft.calendar(CalendarPolicy.of("it", Roll.FOLLOWING).outsideHours(OutsideHours.ALLOW))
        : draft;
  }

  private static Cost median(Cost[] costs) {
    return new Cost(median(costs, Cost::perSecond), median(costs, Cost::micros));
  }

  private static double median(Cost[] costs, ToDoubleFunction<Cost> of) {
    return Arrays.stream(costs)
        .mapToDouble(of)
        .sorted()
        .skip(costs.length / 2)
        .findFirst()
        .orElseThrow();
  }
}
