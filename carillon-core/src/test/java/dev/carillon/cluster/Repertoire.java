package dev.carillon.cluster;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.time.Jitter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The schedules and other work of one trial: every policy, at a quick pace. */
final class Repertoire {
  static final String TAG = "cluster";

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
  private static final Retry SOON = Retry.times(3).backoff(Duration.ofMillis(200));

  private final String prefix;
  private final List<ScheduleDraft> drafts = new ArrayList<>();

  private Repertoire(String prefix) {
    this.prefix = prefix;
  }

  static List<ScheduleDraft> schedules(String prefix) {
    var repertoire = new Repertoire(prefix);
    repertoire.overlaps();
    repertoire.catchUps();
    repertoire.endings();
    repertoire.ledgers();
    return repertoire.drafts;
  }

  private void overlaps() {
    for (Overlap overlap :
        List.of(
            Overlap.SKIP,
            Overlap.ALLOW,
            Overlap.QUEUE,
            Overlap.queue(2),
            Overlap.QUEUE_ONE,
            Overlap.CANCEL_PREVIOUS)) {
      String name = overlap.rule().name().toLowerCase(Locale.ROOT) + "-" + overlap.queueLimit();
      add(work("quick-" + name, Habit.quick(20)).every(SECOND).overlap(overlap));
      add(work("slow-" + name, Habit.quick(150).slow(1_900, 5)).every(SECOND).overlap(overlap));
    }
    add(work("slower-than-its-period", Habit.quick(2_100)).every(TWO_SECONDS));
  }

  private void catchUps() {
    for (CatchUp catchUp : List.of(CatchUp.all(), CatchUp.skip(), CatchUp.once())) {
      String name = catchUp.mode().name().toLowerCase(Locale.ROOT);
      add(
          work("catch-up-" + name, Habit.quick(10))
              .every(SECOND)
              .catchUp(catchUp.grace(Duration.ofMillis(500))));
    }
    add(
        work("catch-up-limited", Habit.quick(10))
            .every(SECOND)
            .overlap(Overlap.ALLOW)
            .catchUp(CatchUp.all().limit(2).grace(Duration.ofMillis(500))));
    add(work("jitter-around", Habit.quick(10)).every(SECOND).jitter(Duration.ofMillis(400)));
    add(
        work("jitter-after", Habit.quick(10))
            .every(TWO_SECONDS)
            .jitter(Jitter.after(Duration.ofMillis(1_500))));
    add(work("cron", Habit.quick(10)).cron("*/2 * * * * *"));
  }

  private void endings() {
    add(work("once", Habit.quick(50)).every(SECOND).atMostOnce());
    add(work("slow-once", Habit.quick(300).slow(2_000, 3)).every(SECOND).atMostOnce());
    add(work("beside-once", Habit.quick(700)).every(SECOND).overlap(Overlap.ALLOW).atMostOnce());
    add(work("retried", Habit.quick(20).failing(1)).every(SECOND).retry(SOON));
    add(
        work("retried-in-line", Habit.quick(20).failing(2))
            .every(TWO_SECONDS)
            .overlap(Overlap.QUEUE)
            .retry(SOON));
    add(work("given-up", Habit.quick(20).failing(9)).every(TWO_SECONDS).retry(SOON));
    add(
        work("timed-out", Habit.quick(20).slow(3_000, 3))
            .every(SECOND)
            .overlap(Overlap.ALLOW)
            .timeout(Duration.ofMillis(600)));
    add(work("after-finish", Habit.quick(100)).every(SECOND).afterFinish());
    add(work("slow-after-finish", Habit.quick(900).slow(1_900, 3)).every(SECOND).afterFinish());
  }

  private void ledgers() {
    add(ledger("ledger", Habit.quick(30)).every(SECOND));
    add(ledger("slow-ledger", Habit.quick(200).slow(1_900, 3)).every(SECOND));
    add(ledger("ledger-beside", Habit.quick(400)).every(SECOND).overlap(Overlap.ALLOW));
    add(ledger("ledger-retried", Habit.quick(50).failing(1)).every(TWO_SECONDS).retry(SOON));
  }

  /** Return work without a schedule: some of it takes longer than any lease the first time. */
  static List<RunDraft> work(String correlation) {
    return List.of(
        patient(correlation, 0),
        patient(correlation, 150),
        patient(correlation, 300),
        RunDraft.of(Work.LABEL)
            .payload(Habit.quick(3_000).payload())
            .correlation(correlation)
            .atMostOnce(),
        RunDraft.of(Work.LABEL)
            .payload(Habit.quick(20).failing(1).payload())
            .correlation(correlation)
            .in(SECOND)
            .retry(SOON),
        RunDraft.of(Ledger.LABEL).payload(Habit.quick(20).payload()).correlation(correlation));
  }

  /* At different times, so that different nodes get them. */
  private static RunDraft patient(String correlation, int millis) {
    return RunDraft.of(Work.LABEL)
        .payload(Habit.quick(50).slow(4_000, 1).payload())
        .correlation(correlation)
        .in(Duration.ofMillis(millis));
  }

  private ScheduleDraft work(String name, Habit habit) {
    return ScheduleDraft.named(prefix + name).target(Work.LABEL).payload(habit.payload());
  }

  private ScheduleDraft ledger(String name, Habit habit) {
    return ScheduleDraft.named(prefix + name).target(Ledger.LABEL).payload(habit.payload());
  }

  private void add(ScheduleDraft draft) {
    drafts.add(draft.tags(TAG));
  }
}
