package dev.carillon.benchmarks.scale;

import dev.carillon.Carillon;
import dev.carillon.CarillonBuilder;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.Version;
import dev.carillon.store.Migrator;
import dev.carillon.target.RunContext;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Carillon, as it comes unless told otherwise. */
final class CarillonContender implements Contender {
  private static final String TARGET = "bell";
  private static final int BATCH = 10_000;

  private final DataSource database;
  private final Carillon carillon;
  private volatile Bell bell = (number, slot) -> {};

  CarillonContender(DataSource database) {
    this(database, UnaryOperator.identity());
  }

  CarillonContender(DataSource database, UnaryOperator<CarillonBuilder> tuning) {
    this.database = database;
    this.carillon =
        tuning.apply(Carillon.builder().dataSource(database).target(TARGET, this::ring)).build();
  }

  private void ring(RunContext context) {
    long number = context.payload().number("number").orElseThrow();
    bell.ring(Math.toIntExact(number), context.slot());
  }

  @Override
  public void install() {
    new Migrator(database, Version.current()).migrate();
  }

  @Override
  public void addIdle(int count) {
    Instant later = Instant.now().plus(Duration.ofDays(365));
    create(
        count,
        number ->
            ScheduleDraft.named("idle-" + number)
                .target(TARGET)
                .at(later.plusSeconds(number % 86_400)));
  }

  @Override
  public void addDue(int count) {
    for (int from = 0; from < count; from += BATCH) {
      carillon
          .runs()
          .enqueueAll(
              IntStream.range(from, Math.min(count, from + BATCH))
                  .mapToObj(number -> RunDraft.of(TARGET).payload("number", number))
                  .toList());
    }
  }

  @Override
  public void addEverySecond(int count, Instant first) {
    create(
        count,
        number ->
            ScheduleDraft.named(everySecond(number, first))
                .target(TARGET)
                .every(Duration.ofSeconds(1))
                .from(first)
                .payload("number", number));
  }

  @Override
  public void removeEverySecond(int count, Instant first) {
    IntStream.range(0, count)
        .parallel()
        .forEach(number -> carillon.schedules().retire(everySecond(number, first)));
  }

  /* With its first slot, as a key that was retired is not given again. */
  private static String everySecond(int number, Instant first) {
    return "every-second-%s-%s".formatted(first.getEpochSecond(), number);
  }

  private void create(int count, IntFunction<ScheduleDraft> draft) {
    carillon.schedules().createAll(IntStream.range(0, count).mapToObj(draft));
  }

  @Override
  public void start(Bell bell) {
    this.bell = bell;
    carillon.start();
  }

  @Override
  public boolean drained() {
    return Sql.on(database).number("select count(*) from carillon.run where trigger = 'ad_hoc'")
        == 0;
  }

  @Override
  public void close() {
    carillon.close();
  }
}
