package dev.carillon.resilience.attack;

import dev.carillon.resilience.cluster.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What was seen of a server during an attack and right after it.
 *
 * @param probes how many probes of its health were answered
 * @param failures how many were not
 * @param slowest how long the slowest took
 * @param machine how long a server that does nothing else took for the same, which is forgiven
 * @param gap the longest time without a run of a schedule that fires every second
 * @param liveMib its heap after a full collection, in MiB
 * @param threads how many threads it has
 * @param running how many runs are under way that should be over
 */
record Seen(
    int probes,
    int failures,
    Duration slowest,
    Duration machine,
    Duration gap,
    long liveMib,
    long threads,
    long running) {
  static final Duration MAX_PROBE = Duration.ofSeconds(1);
  static final Duration MAX_GAP = Duration.ofSeconds(5);
  static final long MAX_LIVE_MIB = Victim.HEAP_MIB / 2;
  static final long MAX_THREADS = 200;
  private static final long MIB = 1024 * 1024;

  static Seen after(Victim victim, HealthProbe probe, Instant begun) {
    return new Seen(
        probe.answers(),
        probe.failures(),
        probe.slowest(),
        probe.slowestIdle(),
        gap(victim.journal().calls(), begun),
        victim.node().liveBytes() / MIB,
        victim.node().threads(),
        victim.running());
  }

  private static Duration gap(List<Call> calls, Instant begun) {
    Duration longest = Duration.ZERO;
    Instant last = begun;
    for (Call call : calls) {
      if (call.begin().isAfter(begun)) {
        Duration gap = Duration.between(last, call.begin());
        longest = gap.compareTo(longest) > 0 ? gap : longest;
        last = call.begin();
      }
    }
    Duration open = Duration.between(last, Instant.now());
    return open.compareTo(longest) > 0 ? open : longest;
  }

  /** Return which budgets were not kept, in words; {@code slack} is forgiven. */
  List<String> broken(Duration slack) {
    Duration forgiven = machine.plus(slack);
    var broken = new ArrayList<String>();
    if (failures > 0 || probes == 0) {
      broken.add("%s of %s probes failed".formatted(failures, probes + failures));
    }
    if (slowest.minus(forgiven).compareTo(MAX_PROBE) > 0) {
      broken.add("the slowest probe took %s ms".formatted(slowest.toMillis()));
    }
    if (gap.minus(forgiven).compareTo(MAX_GAP) > 0) {
      broken.add("nothing ran for %s ms".formatted(gap.toMillis()));
    }
    if (liveMib > MAX_LIVE_MIB) {
      broken.add("%s MiB of heap are in use".formatted(liveMib));
    }
    if (threads > MAX_THREADS) {
      broken.add("there are %s threads".formatted(threads));
    }
    if (running > 0) {
      broken.add("%s runs do not end".formatted(running));
    }
    return broken;
  }

  String row(String attack) {
    return "| %s | %s | %s | %s ms | %s ms | %s ms | %s MiB | %s | %s |\n"
        .formatted(
            attack,
            probes,
            failures,
            slowest.toMillis(),
            machine.toMillis(),
            gap.toMillis(),
            liveMib,
            threads,
            running);
  }

  static String head() {
    return """
        | attack | probes answered | not answered | slowest (at most %s ms) | of which the machine | longest without a run (at most %s ms) | live heap (at most %s MiB of %s) | threads (at most %s) | runs that do not end |
        |---|---:|---:|---:|---:|---:|---:|---:|---:|
        """
        .formatted(
            MAX_PROBE.toMillis(), MAX_GAP.toMillis(), MAX_LIVE_MIB, Victim.HEAP_MIB, MAX_THREADS);
  }
}
