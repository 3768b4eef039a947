package dev.carillon.simulation;

import dev.carillon.BackfillDraft;
import dev.carillon.Carillon;
import dev.carillon.FreezeDraft;
import dev.carillon.Runs;
import dev.carillon.Schedules;
import dev.carillon.fixture.Gen;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.Pause;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.policy.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** People, who create, change and cancel things whenever they like. */
final class Users {
  private static final int MAX_SCHEDULES = 6;

  private final World world;
  private final Gen gen;
  private final Drafts drafts;
  private final DayDrafts dayDrafts;
  private final Set<RunId> promised = new LinkedHashSet<>();
  private boolean byDays;

  Users(World world) {
    this.world = world;
    this.gen = world.gen();
    this.drafts = new Drafts(gen);
    this.dayDrafts = new DayDrafts(gen, drafts);
  }

  /** Think of schedules that run on some days, from now on. */
  void thinkInDays() {
    byDays = true;
  }

  /** Return the runs somebody was told exist. */
  Set<RunId> promised() {
    return promised;
  }

  void create() {
    String key = key();
    act(
        "creates " + key,
        () -> schedules().upsert(byDays ? dayDrafts.schedule(key) : drafts.schedule(key, now())));
  }

  void act() {
    world.journal().count(Journal.Kind.USER_ACTION);
    String key = key();
    switch (gen.number(0, 26)) {
      case 0, 1 -> create();
      case 2 ->
          act(
              "patches " + key,
              () -> schedules().patch(key, draft -> draft.description("edit " + gen.number(0, 9))));
      case 3 -> act("pauses " + key, () -> schedules().pause(key, "a pause"));
      case 4 -> {
        Instant until = now().plusSeconds(gen.number(1, 60));
        act("pauses " + key + " until " + until, () -> schedules().pause(key, "a nap", until));
      }
      case 5, 6 -> act("resumes " + key, () -> schedules().resume(key));
      case 7 -> act("retires " + key, () -> schedules().retire(key));
      case 8, 9 -> act("enqueues", () -> promised.add(runs().enqueue(drafts.run())));
      case 10, 11 -> onSomeRun("cancels", id -> runs().cancel(id, "not needed"));
      case 12 -> {
        String word = drafts.word();
        act("cancels " + word, () -> runs().cancelAll(word, "no more " + word));
      }
      case 13 ->
          onSomeRun("retries", id -> runs().retry(id).ifPresent(run -> promised.add(run.id())));
      case 14 ->
          act(
              "runs " + key,
              () -> schedules().runNow(key).ifPresent(run -> promised.add(run.id())));
      case 15, 16 -> pauseLater(key);
      case 17, 18 -> quiet();
      case 19 -> act("thaws", () -> carillon().quietHours().delete(Drafts.MIGRATION));
      case 20, 21 -> changeCalendar();
      case 22 -> freeze();
      case 23 -> thaw();
      case 24 -> {
        String name = gen.oneOf(Drafts.SHOP, DayDrafts.BANK, DayDrafts.FEASTS, DayDrafts.BOTH);
        act("deletes calendar " + name, () -> carillon().calendars().delete(name));
      }
      case 25 -> act("deletes quiet hours", () -> carillon().quietHours().delete(Drafts.QUIET));
      default -> backfill(key);
    }
  }

  void defineRules() {
    if (byDays) {
      dayDrafts.calendars(now()).forEach(this::save);
    } else {
      act("defines hours", () -> carillon().calendars().save(drafts.shop()));
    }
    quiet();
    quiet();
  }

  private void changeCalendar() {
    if (byDays) {
      save(dayDrafts.calendar(now()));
    } else {
      act("changes hours", () -> carillon().calendars().save(drafts.shop()));
    }
  }

  private void save(CalendarDefinition calendar) {
    act("saves calendar " + calendar.name(), () -> carillon().calendars().save(calendar, ""));
  }

  private void quiet() {
    QuietHoursDefinition policy = byDays ? dayDrafts.quietHours(now()) : drafts.quietHours(now());
    act("quiets " + policy, () -> carillon().quietHours().save(policy, ""));
  }

  private void freeze() {
    FreezeDraft freeze = drafts.freeze(now(), byDays ? Duration.ofDays(2) : Duration.ofMinutes(2));
    act("freezes " + freeze, () -> carillon().quietHours().freeze(freeze));
  }

  private void thaw() {
    Set<String> tags = gen.percent(60) ? Set.of() : Set.of(gen.oneOf(Drafts.TAGS));
    act("thaws " + tags, () -> carillon().quietHours().thaw(tags));
  }

  private Carillon carillon() {
    return world.user().carillon();
  }

  private void pauseLater(String key) {
    Instant from = now().plusMillis(gen.number(1, 60_000));
    Pause forever = Pause.because("a plan").startingAt(from);
    Pause pause = gen.percent(50) ? forever : forever.endingAt(from.plusSeconds(gen.number(1, 60)));
    act(
        "pauses " + key + " from " + from + " until " + pause.until(),
        () -> schedules().pause(key, pause));
  }

  private void backfill(String key) {
    var draft =
        BackfillDraft.between(now().minusSeconds(gen.number(10, 90)), now())
            .limit(gen.number(1, 4));
    act(
        "backfills " + key,
        () ->
            schedules()
                .backfill(key, gen.percent(50) ? draft : draft.overlap(Overlap.ALLOW))
                .ifPresent(made -> promised.addAll(made.runs())));
  }

  /** Does something with a run. */
  private interface WithRun {
    void run(RunId id);
  }

  private void onSomeRun(String what, WithRun action) {
    act(
        what + " a run",
        () -> {
          List<Run> some = new ArrayList<>(runs().list(RunFilter.all().limit(20)));
          if (!some.isEmpty()) {
            RunId id = gen.oneOf(some).id();
            world.say("user %s %s of %s", what, id.slot(), id.schedule());
            action.run(id);
          }
        });
  }

  private void act(String what, Runnable action) {
    world.act(world.user(), what, action);
  }

  private String key() {
    return "s" + gen.number(1, MAX_SCHEDULES);
  }

  private Instant now() {
    return world.clock().instant();
  }

  private Schedules schedules() {
    return world.user().carillon().schedules();
  }

  private Runs runs() {
    return world.user().carillon().runs();
  }
}
