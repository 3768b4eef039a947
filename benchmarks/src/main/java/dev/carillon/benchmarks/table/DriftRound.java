package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.contender.Suite;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One entrant with one fleet.
 *
 * @param schedules how many fire together
 * @param seconds for how long, in each repetition
 */
record DriftRound(int schedules, Entrant entrant, List<Integer> seconds) {
  /* Quartz falls behind with the second of them already, and JobRunr supports the first only. */
  private static final List<Integer> FLEETS_OF_THE_SLOW = List.of(100, 1_000);
  private static final int FLEET_FOR_CRON = 1_000;

  /**
   * List what {@code effort} allows: Carillon is repeated, and the largest fleet has to last for
   * the whole time once; a third of it is enough for the others.
   */
  static List<DriftRound> of(SuiteEffort effort) {
    int largest = effort.fleets().stream().mapToInt(Integer::intValue).max().orElseThrow();
    return Stream.concat(FLEETS_OF_THE_SLOW.stream(), effort.fleets().stream())
        .distinct()
        .flatMap(
            schedules ->
                effort.entrants(Suite.DRIFT).stream()
                    .filter(entrant -> takesPart(entrant, schedules, effort))
                    .map(
                        entrant ->
                            new DriftRound(
                                schedules,
                                entrant,
                                seconds(entrant, schedules == largest, effort))))
        .toList();
  }

  private static boolean takesPart(Entrant entrant, int schedules, SuiteEffort effort) {
    return switch (entrant) {
      case JOBRUNR, QUARTZ -> FLEETS_OF_THE_SLOW.contains(schedules);
      case LOCK_AND_FETCH_20_CRON -> schedules == FLEET_FOR_CRON;
      default -> effort.fleets().contains(schedules);
    };
  }

  private static List<Integer> seconds(Entrant entrant, boolean largest, SuiteEffort effort) {
    int repetitions = entrant == Entrant.CARILLON ? effort.repetitions() : 1;
    return IntStream.range(0, repetitions)
        .mapToObj(
            repetition -> largest && repetition == 0 ? effort.seconds() : effort.seconds() / 3)
        .toList();
  }

  String title() {
    return "%s, %s schedules".formatted(entrant.title(), Figures.whole(schedules));
  }
}
