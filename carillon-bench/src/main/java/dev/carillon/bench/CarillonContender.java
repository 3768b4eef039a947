package dev.carillon.bench;

import dev.carillon.Carillon;
import dev.carillon.CarillonBuilder;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.target.RunContext;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Carillon, with its default settings except for those of {@code tuning}. */
public final class CarillonContender implements Contender {
  private static final String TARGET = "bell";
  private static final String NUMBER = "number";
  private static final int BATCH = 10_000;

  private final DataSource database;
  private final Carillon carillon;
  private volatile StartListener startListener = (number, slot, attempt) -> {};

  public CarillonContender(DataSource database) {
    this(database, UnaryOperator.identity());
  }

  public CarillonContender(DataSource database, UnaryOperator<CarillonBuilder> tuning) {
    this.database = database;
    this.carillon =
        tuning.apply(Carillon.builder().dataSource(database).target(TARGET, this::started)).build();
  }

  private void started(RunContext context) {
    long number = context.payload().number(NUMBER).orElseThrow();
    startListener.started(Math.toIntExact(number), context.slot(), context.attempt());
  }

  /* The first node on a database creates the tables. */
  @Override
  public void install() {
    try (Carillon node = Carillon.builder().dataSource(database).build()) {
      node.start();
    }
  }

  @Override
  public void addIdle(int count, IntConsumer added) {
    Instant later = Instant.now().plus(Duration.ofDays(365));
    create(
        count,
        added,
        number ->
            ScheduleDraft.named("idle-" + number)
                .target(TARGET)
                .at(later.plusSeconds(number % 86_400)));
  }

  @Override
  public void addDue(int count, IntConsumer added) {
    inBatches(
        count,
        added,
        numbers ->
            carillon
                .runs()
                .enqueueAll(
                    numbers
                        .mapToObj(number -> RunDraft.of(TARGET).payload(NUMBER, number))
                        .toList()));
  }

  @Override
  public void addEverySecond(int count, Instant first) {
    create(
        count,
        added -> {},
        number ->
            ScheduleDraft.named(everySecond(number, first))
                .target(TARGET)
                .every(Duration.ofSeconds(1))
                .from(first)
                .payload(NUMBER, number));
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

  private void create(int count, IntConsumer added, IntFunction<ScheduleDraft> draft) {
    inBatches(count, added, numbers -> carillon.schedules().createAll(numbers.mapToObj(draft)));
  }

  private interface Batch {
    void add(IntStream numbers);
  }

  private static void inBatches(int count, IntConsumer added, Batch batch) {
    for (int from = 0; from < count; from += BATCH) {
      int to = Math.min(count, from + BATCH);
      batch.add(IntStream.range(from, to));
      added.accept(to);
    }
  }

  @Override
  public void start(StartListener startListener) {
    this.startListener = startListener;
    carillon.start();
  }

  @Override
  public long unfinished() {
    return (long)
        Sql.on(database).number("select count(*) from carillon.run where trigger = 'ad_hoc'");
  }

  @Override
  public void close() {
    carillon.close();
  }
}
