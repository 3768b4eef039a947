package dev.carillon.resilience.chaos;

import dev.carillon.resilience.cluster.Call;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Compares the journal of one schedule with the slots that it must have had, and with what the
 * product says about them.
 */
final class Judge {
  private final Expectation expected;
  private final Duration clockAhead;
  private final Map<Instant, List<Call>> calls = new HashMap<>();
  private final Map<Instant, Fire> fires = new HashMap<>();
  private final List<String> broken = new ArrayList<>();

  /**
   * Judge one schedule.
   *
   * @param clockAhead how far the database's clock may have been ahead of that of the journal
   */
  Judge(Expectation expected, List<Call> calls, List<Fire> fires, Duration clockAhead) {
    this.expected = expected;
    this.clockAhead = clockAhead;
    for (Call call : calls) {
      if (call.schedule().equals(expected.schedule())) {
        this.calls.computeIfAbsent(call.slot(), slot -> new ArrayList<>()).add(call);
      }
    }
    fires.forEach(fire -> this.fires.put(fire.slot(), fire));
  }

  /** Return what is found. */
  Findings judge(boolean overlapsPromised) {
    int decided = 0;
    int again = 0;
    Duration latest = Duration.ZERO;
    for (Instant slot : expected.slots()) {
      List<Call> of = calls.getOrDefault(slot, List.of());
      Fire fire = fires.getOrDefault(slot, new Fire(slot, "unknown", "", ""));
      if (of.isEmpty()) {
        if (fire.isExplained()) {
          decided++;
        } else {
          broken("lost: %s %s has no call, and is %s", slot, fire.decision());
        }
      } else if (!fire.isOver() || fire.decision().equals("unknown")) {
        broken("stuck: %s %s was called, and is %s", slot, fire.decision());
      }
    }
    for (var of : calls.entrySet()) {
      judgeSlot(of.getKey(), of.getValue());
      Duration late = lateness(of.getKey(), of.getValue());
      latest = late.compareTo(latest) > 0 ? late : latest;
      again += of.getValue().size() - 1;
    }
    int overlaps = expected.exclusive() ? overlaps(overlapsPromised) : 0;
    return new Findings(
        expected.slots().size(), decided, again, overlaps, latest, List.copyOf(broken));
  }

  private void judgeSlot(Instant slot, List<Call> of) {
    var runs = new HashSet<String>();
    var attempts = new HashSet<Integer>();
    String key = key(slot);
    for (Call call : of) {
      runs.add(call.run());
      if (!attempts.add(call.attempt())) {
        broken("doubled: %s %s was called twice for attempt %s", slot, call.attempt());
      }
      if (!call.key().equals(key)) {
        broken("doubled: %s %s has the key %s", slot, call.key());
      }
      if (call.begin().plus(clockAhead).isBefore(slot)) {
        broken("early: %s %s was called at %s", slot, call.begin());
      }
    }
    Fire fire = fires.get(slot);
    if (fire != null && !fire.run().isEmpty()) {
      runs.add(fire.run());
    }
    if (runs.size() > 1) {
      broken("doubled: %s %s has the runs %s", slot, runs);
    }
  }

  private Duration lateness(Instant slot, List<Call> of) {
    Instant begin = of.stream().map(Call::begin).min(Comparator.naturalOrder()).orElse(slot);
    return Duration.between(slot, begin);
  }

  private int overlaps(boolean promised) {
    List<Call> inOrder =
        calls.values().stream()
            .flatMap(List::stream)
            .sorted(Comparator.comparing(Call::begin))
            .toList();
    int overlaps = 0;
    Instant end = Instant.MIN;
    for (Call call : inOrder) {
      if (call.begin().isBefore(end)) {
        overlaps++;
        if (promised) {
          broken("overlap: %s %s began at %s, before %s", call.slot(), call.begin(), end);
        }
      }
      end = call.end().isAfter(end) ? call.end() : end;
    }
    return overlaps;
  }

  private String key(Instant slot) {
    try {
      byte[] text =
          (expected.schedule() + ":" + slot.getEpochSecond()).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void broken(String format, Object... values) {
    var all = new ArrayList<Object>();
    all.add(expected.schedule());
    all.addAll(List.of(values));
    broken.add(format.formatted(all.toArray()));
  }
}
