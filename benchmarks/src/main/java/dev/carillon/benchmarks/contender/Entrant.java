package dev.carillon.benchmarks.contender;

import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import dev.carillon.bench.CarillonContender;
import dev.carillon.bench.Contender;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A library in one configuration, and the suites it takes part in with it. */
public enum Entrant {
  CARILLON("Carillon", "", EnumSet.allOf(Suite.class), CarillonContender::new),
  LOCK_AND_FETCH_20(
      "db-scheduler",
      "lock-and-fetch, 20 threads, limits 4/20",
      EnumSet.allOf(Suite.class),
      database -> lockAndFetch20(database, new EverySecond())),
  LOCK_AND_FETCH_20_CRON(
      "db-scheduler",
      "the same with cron",
      EnumSet.of(Suite.DRIFT),
      database -> lockAndFetch20(database, new WholeSecondCron())),
  LOCK_AND_FETCH_10(
      "db-scheduler",
      "lock-and-fetch, 10 threads, limits 0.5/4",
      EnumSet.of(Suite.DRAIN),
      database ->
          new DbSchedulerContender(
              database,
              new EverySecond(),
              builder -> builder.threads(10).pollUsingLockAndFetch(0.5, 4))),
  FETCH(
      "db-scheduler",
      "fetch, 20 threads, limits 0.5/3",
      EnumSet.of(Suite.DRAIN),
      database ->
          new DbSchedulerContender(
              database, new EverySecond(), builder -> builder.threads(20).pollUsingFetch(0.5, 3))),
  JOBRUNR(
      "JobRunr", "50 threads", Set.of(Suite.DRAIN, Suite.DRIFT, Suite.IDLE), JobRunrContender::new),
  QUARTZ(
      "Quartz",
      "clustered, 20 threads, batches of 20",
      Set.of(Suite.DRAIN, Suite.DRIFT, Suite.IDLE),
      QuartzContender::new),
  RAW_DRAIN(
      "raw limit",
      "claim and complete",
      Set.of(Suite.DRAIN),
      database -> new RawContender(database, RawWork.DRAIN)),
  RAW_LIFE(
      "raw limit",
      "insert, advance, claim and complete",
      Set.of(Suite.DRAIN),
      database -> new RawContender(database, RawWork.LIFE));

  private static final String OURS = "Carillon";
  private static final String RAW_LIMIT = "raw limit";
  private static final Set<String> DELETE_FINISHED = Set.of("db-scheduler", "Quartz");

  private final String library;
  private final String setup;
  private final Set<Suite> suites;
  private final Function<DataSource, Contender> opening;

  Entrant(
      String library, String setup, Set<Suite> suites, Function<DataSource, Contender> opening) {
    this.library = library;
    this.setup = setup;
    this.suites = suites;
    this.opening = opening;
  }

  private static Contender lockAndFetch20(DataSource database, Schedule everySecond) {
    return new DbSchedulerContender(
        database, everySecond, builder -> builder.threads(20).pollUsingLockAndFetch(4, 20));
  }

  /** List those that take part in {@code suite}. */
  public static List<Entrant> in(Suite suite) {
    return Arrays.stream(values()).filter(entrant -> entrant.suites.contains(suite)).toList();
  }

  public static Stream<String> libraries() {
    return Arrays.stream(values())
        .map(Entrant::library)
        .filter(library -> !library.equals(RAW_LIMIT))
        .distinct();
  }

  public Contender open(DataSource database) {
    return opening.apply(database);
  }

  public String library() {
    return library;
  }

  public String setup() {
    return setup;
  }

  public String title() {
    return setup.isEmpty() ? library : library + ", " + setup;
  }

  public boolean isOurs() {
    return library.equals(OURS);
  }

  /** Say whether a run that is done can still be looked up. */
  public boolean keepsHistory() {
    return !DELETE_FINISHED.contains(library);
  }
}
