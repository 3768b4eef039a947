package dev.carillon.plan;

import dev.carillon.model.LoadForecast.BusyMinute;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Counts fires by the minute in which they are due, group after group. Pure. */
final class FireTally {
  private static final int MAX_SHOWN = 10;

  /* Who looks at a single minute wants to know who is in it. */
  private static final int MAX_KEYS_OF_ONE_MINUTE = 500;

  private final long begin;
  private final long end;
  private final long firstMinute;
  private final long[] fires;
  private final long[] schedules;
  private final int[] lastGroup;
  private final int maxKeys;

  /* The groups come in the order of their first keys: the first keys of all are among these. */
  private final List<List<List<String>>> firstGroups;
  private int group;
  private long groupSize;
  private List<String> groupKeys = List.of();
  private boolean groupFires;
  private long firing;

  /** Count fires that are due from {@code from} until before {@code to}. */
  FireTally(Instant from, Instant to) {
    begin = from.toEpochMilli();
    end = to.toEpochMilli();
    firstMinute = Math.floorDiv(from.getEpochSecond(), 60);
    int minutes = Math.toIntExact(Math.floorDiv(end + 59_999, 60_000L) - firstMinute);
    fires = new long[minutes];
    schedules = new long[minutes];
    lastGroup = new int[minutes];
    maxKeys = minutes == 1 ? MAX_KEYS_OF_ONE_MINUTE : MAX_SHOWN;
    firstGroups = new ArrayList<>(minutes);
    for (int minute = 0; minute < minutes; minute++) {
      firstGroups.add(List.of());
    }
  }

  /** Return how many keys of a minute are told. */
  int maxKeys() {
    return maxKeys;
  }

  int minutes() {
    return fires.length;
  }

  /** Begin with a group; its first key is not before that of the one before. */
  void begin(FireGroup next) {
    group++;
    groupSize = next.schedules();
    groupKeys = next.keys();
    groupFires = false;
  }

  /** Return the minute of a due time, counted from the first; negative if it is not counted. */
  int minuteOf(long dueMillis) {
    return dueMillis < begin || dueMillis >= end
        ? -1
        : (int) (Math.floorDiv(dueMillis, 60_000L) - firstMinute);
  }

  /** Return the last whole second of a minute. */
  long lastSecondOf(int minute) {
    return (firstMinute + minute) * 60 + 59;
  }

  /** Add {@code count} fires of each schedule of the group. */
  void add(int minute, long count) {
    if (minute < 0 || count == 0) {
      return;
    }
    fires[minute] += count * groupSize;
    if (lastGroup[minute] != group) {
      lastGroup[minute] = group;
      schedules[minute] += groupSize;
      remember(minute);
    }
    if (!groupFires) {
      groupFires = true;
      firing += groupSize;
    }
  }

  private void remember(int minute) {
    List<List<String>> known = firstGroups.get(minute);
    if (known.isEmpty()) {
      known = new ArrayList<>(MAX_SHOWN);
      firstGroups.set(minute, known);
    }
    if (known.size() < maxKeys) {
      known.add(groupKeys);
    }
  }

  long firing() {
    return firing;
  }

  Instant firstMinute() {
    return Instant.ofEpochSecond(firstMinute * 60);
  }

  long[] fires() {
    return fires.clone();
  }

  long peak() {
    return Arrays.stream(fires).max().orElse(0);
  }

  /** Return the minutes with the most fires, the worst first. */
  List<BusyMinute> worst() {
    return IntStream.range(0, fires.length)
        .filter(minute -> fires[minute] > 0)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingLong(minute -> -fires[minute])
                .thenComparing(Comparator.naturalOrder()))
        .limit(MAX_SHOWN)
        .map(this::busy)
        .toList();
  }

  private BusyMinute busy(int minute) {
    return new BusyMinute(
        firstMinute().plus(Duration.of(minute, ChronoUnit.MINUTES)),
        fires[minute],
        schedules[minute],
        firstGroups.get(minute).stream().flatMap(List::stream).sorted().limit(maxKeys).toList());
  }
}
