package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ExplainStory.Made;
import dev.carillon.ExplainStory.Stop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.Definition;
import dev.carillon.model.Explanation;
import dev.carillon.model.Explanation.Outcome;
import dev.carillon.model.Explanation.Step;
import dev.carillon.model.Explanation.What;
import dev.carillon.model.SlotOutcome;
import dev.carillon.policy.Pacing;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.Due;
import dev.carillon.time.business.CalendarTiming;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What is explained agrees with what is recorded, for every slot of simulated months, and with what
 * people remember of their own deeds.
 */
@ExtendWith(EmbeddedPostgres.class)
class ExplainProperties {
  private static final int STORIES = 20;
  private static final int MIN_STORIES = 200;
  private static final int MIN_SLOTS = 50_000;
  private static final int ASKED = 4;
  private static final Map<String, Integer> COUNTS = new TreeMap<>();

  private final DataSource postgres;

  ExplainProperties(DataSource postgres) {
    this.postgres = postgres;
  }

  @Property(cases = 10, firstSeed = 20_261_118)
  void every_slot_of_a_month_is_explained_as_it_was(Gen any) {
    try (var belfry = new Belfry(postgres)) {
      ManualCarillon node =
          belfry.node(
              builder ->
                  builder
                      .nodeName("tower")
                      .remoteTarget("far")
                      .target(
                          "bell",
                          context -> {
                            if (context.payload().number("fails").orElse(0L) > 0) {
                              throw new IllegalStateException("cracked");
                            }
                          }));
      var world = new ExplainWorld(any, belfry, node, STORIES);
      world.happen();
      for (ExplainStory story : world.stories) {
        var book = new ExplainBook(postgres, node.schedules(), story, world.start, world.now());
        judge(any, world, story, book, node.schedules());
        count(story);
      }
    }
  }

  private static void count(ExplainStory story) {
    COUNTS.merge("stories", 1, Integer::sum);
    count("by calendar", story, one -> one.calendar().isPresent());
    count("quiet", story, one -> one.quietHours().isPresent() || !one.tags().isEmpty());
    count("timed by calendar", story, one -> one.timing() instanceof CalendarTiming);
  }

  private static void count(String kind, ExplainStory story, Predicate<Definition> is) {
    if (story.versions.stream().map(Made::definition).anyMatch(is)) {
      COUNTS.merge(kind, 1, Integer::sum);
    }
  }

  /* One case that is told again has fewer. */
  @AfterAll
  static void enough_was_told() {
    System.out.println("explained: " + COUNTS);
    if (COUNTS.getOrDefault("stories", 0) >= MIN_STORIES) {
      assertThat(COUNTS.get("slots")).isGreaterThanOrEqualTo(MIN_SLOTS);
      assertThat(COUNTS.get("by calendar")).isGreaterThanOrEqualTo(MIN_STORIES / 3);
      assertThat(COUNTS.get("quiet")).isGreaterThanOrEqualTo(MIN_STORIES / 3);
      assertThat(COUNTS.get("timed by calendar")).isGreaterThanOrEqualTo(MIN_STORIES / 10);
      assertThat(COUNTS.get("slots timed by calendar")).isGreaterThanOrEqualTo(MIN_STORIES);
    }
  }

  private void judge(
      Gen any, ExplainWorld world, ExplainStory story, ExplainBook book, Schedules schedules) {
    Instant end = world.now().plus(Duration.ofDays(1));
    var instants = new TreeSet<Instant>(book.slots().headMap(end).keySet());
    for (Made made : story.versions) {
      made.definition().timing().between(world.start, end).stream()
          .filter(at -> made.isInForce(at) || any.percent(5))
          .forEach(instants::add);
    }
    for (int i = 0; i < 20; i++) {
      instants.add(world.start.plus(any.upTo(Duration.between(world.start, end))));
    }
    for (Instant at : instants) {
      Explanation explanation = book.explain(at);
      try {
        agrees(world, story, book, explanation);
      } catch (AssertionError | NoSuchElementException e) {
        throw new AssertionError(
            story.key + " at " + at + "\n" + explanation.text() + "\n" + e.getMessage(), e);
      }
    }
    for (int i = 0; i < ASKED; i++) {
      Instant at = any.oneOf(instants.stream().toList());
      assertThat(schedules.explain(story.key, at)).contains(book.explain(at));
    }
    COUNTS.merge("slots", book.slots().headMap(end).size(), Integer::sum);
  }

  /* Who asks about the time that a slot stands for is told about the slot. */
  private static void agreesOnWhatItStandsFor(
      ExplainBook book, Definition definition, Explanation explanation) {
    Optional<Instant> meant = meant(definition, explanation);
    COUNTS.merge("slots timed by calendar", 1, Integer::sum);
    if (meant.isPresent() && !book.slots().containsKey(meant.get())) {
      Explanation asked = book.explain(meant.get());
      assertThat(asked.at()).isEqualTo(meant.get());
      if (asked.slot().equals(explanation.slot())) {
        assertThat(asked.outcome()).isEqualTo(explanation.outcome());
        assertThat(asked.text()).isEqualTo(explanation.text());
        COUNTS.merge("meant", 1, Integer::sum);
      }
    }
  }

  private static Optional<Instant> meant(Definition definition, Explanation explanation) {
    return explanation.moves().stream()
        .findFirst()
        .filter(
            move ->
                definition.timing() instanceof CalendarTiming timing
                    && move.by().equals(timing.calendar()))
        .map(Due.Move::to);
  }

  private static void agrees(
      ExplainWorld world, ExplainStory story, ExplainBook book, Explanation explanation) {
    Optional<ExplainBook.Entry> known = Optional.ofNullable(book.slots().get(explanation.at()));
    if (known.isEmpty() && explanation.slot().isPresent()) {
      assertThat(story.versions)
          .anyMatch(made -> made.definition().timing() instanceof CalendarTiming);
      assertThat(explanation.text())
          .isEqualTo(book.explain(explanation.slot().orElseThrow()).text());
      return;
    }
    Instant at = explanation.at();
    Optional<ExplainBook.Entry> recorded = known;
    assertThat(explanation.outcome())
        .isEqualTo(recorded.map(ExplainBook.Entry::outcome).orElse(Outcome.NOT_DUE));
    assertThat(explanation.slot()).isEqualTo(recorded.map(any -> at));
    assertThat(explanation.previous().map(SlotOutcome::slot))
        .isEqualTo(Optional.ofNullable(book.slots().lowerKey(at)));
    assertThat(explanation.next().map(SlotOutcome::slot))
        .isEqualTo(Optional.ofNullable(book.slots().higherKey(at)));
    assertThat(explanation.steps()).isNotEmpty().noneMatch(step -> step.because().isBlank());
    if (recorded.isPresent()) {
      hasItsVersion(story, recorded.get(), explanation);
      timedByCalendar(story, recorded.get())
          .ifPresent(definition -> agreesOnWhatItStandsFor(book, definition, explanation));
      hasItsReason(world, story, recorded.get(), explanation);
    } else {
      hasAReasonToBeNone(story, explanation);
    }
  }

  private static void hasItsVersion(
      ExplainStory story, ExplainBook.Entry recorded, Explanation explanation) {
    if (recorded.version() > 0) {
      assertThat(first(explanation, What.VERSION))
          .contains(
              recorded.version() == 1
                  ? "created the schedule"
                  : "ersion " + recorded.version() + " ");
    }
    /* Jitter may have a run start, and a window may be judged, before somebody changes the schedule. */
    Optional<Made> made = story.inForce(explanation.at());
    /* A run that waits for its moved due time keeps its version over an edit. */
    boolean waited = !explanation.moves().isEmpty();
    if (made.isPresent()
        && timedByCalendar(story, recorded).isEmpty() // what counts is the time it stands for
        && recorded.outcome() == Outcome.DROPPED
        && !recorded.isAhead()
        && !waited) {
      assertThat(recorded.version()).isEqualTo(made.get().version());
    }
  }

  private static Optional<Definition> timedByCalendar(
      ExplainStory story, ExplainBook.Entry recorded) {
    return story.versions.stream()
        .filter(made -> made.version() == recorded.version() || recorded.version() == 0)
        .reduce((one, later) -> later)
        .map(Made::definition)
        .filter(definition -> definition.timing() instanceof CalendarTiming);
  }

  private static void hasItsReason(
      ExplainWorld world, ExplainStory story, ExplainBook.Entry recorded, Explanation explanation) {
    Instant at = explanation.at();
    switch (recorded.reason()) {
      case "paused" -> {
        Instant meant =
            timedByCalendar(story, recorded)
                .flatMap(definition -> meant(definition, explanation))
                .orElse(at);
        Optional<Stop> stop = story.stop(meant).or(() -> story.stop(recorded.decidedAt()));
        assertThat(first(explanation, What.PAUSE))
            .contains(stop.orElseThrow().by() + " ")
            .contains(stop.orElseThrow().reason());
      }
      case "missed", "limit" -> {
        assertThat(first(explanation, What.CATCH_UP)).startsWith("No node ran it in time");
        /* What is due before its slot may have been so before somebody made or changed it. */
        assertThat(isAway(world, at) || !explanation.moves().isEmpty()).isTrue();
      }
      case "outside_window" ->
          assertThat(first(explanation, What.WINDOW))
              .containsAnyOf("begins at", "began at", "which is before that");
      case "calendar" ->
          assertThat(
                  first(explanation, What.CALENDAR, "leaves it out")
                      + first(explanation, What.CALENDAR, "so it stands for no time"))
              .contains(" in calendar '" + recorded.by() + "'; ")
              .containsAnyOf("; roll ", "; so it stands for no time, and becomes no run");
      case "quiet_hours" ->
          assertThat(first(explanation, What.QUIET_HOURS, "leave it out: "))
              .startsWith("Quiet hours '" + recorded.by() + "'");
      case "merged" -> {
        assertThat(first(explanation, What.MERGED)).contains("is merged into the run of slot ");
        assertThat(recorded.mergedInto()).isPresent().isNotEqualTo(explanation.slot());
      }
      default -> {}
    }
    assertThat(has(explanation, What.MERGED)).isEqualTo(recorded.reason().equals("merged"));
    recorded.dueAt().ifPresent(due -> assertThat(explanation.dueAt()).contains(due));
    isDueWhereItWasMoved(story, recorded, explanation);
    assertThat(has(explanation, What.PAUSE)).isEqualTo(recorded.reason().equals("paused"));
    assertThat(has(explanation, What.RUN))
        .isEqualTo(
            recorded.outcome().name().matches("PENDING|RUNNING|SUCCEEDED|FAILED|CANCELED|SKIPPED"));
    assertThat(has(explanation, What.DECISION)).isEqualTo(recorded.outcome() == Outcome.DROPPED);
  }

  /* Unless catch-up or somebody made the run, its due time is that of the last move, with jitter. */
  private static void isDueWhereItWasMoved(
      ExplainStory story, ExplainBook.Entry recorded, Explanation explanation) {
    boolean heldBack = !first(explanation, What.QUIET_HOURS, "so it was put off until").isEmpty();
    if (recorded.dueAt().isEmpty()
        || !recorded.isPlanned()
        || heldBack
        || has(explanation, What.CATCH_UP)) {
      return;
    }
    /* After a change of a calendar or of quiet hours, runs that wait are judged by what is in force. */
    assertThat(story.versions)
        .filteredOn(made -> made.version() >= recorded.version())
        .anyMatch(
            made -> isDueWhereItWasMoved(story.key, made.definition(), recorded, explanation));
  }

  private static boolean isDueWhereItWasMoved(
      String key, Definition definition, ExplainBook.Entry recorded, Explanation explanation) {
    Instant slot = explanation.at();
    Instant due =
        explanation.moves().stream().map(Due.Move::to).reduce((one, last) -> last).orElse(slot);
    Instant jittered = definition.jitter().dueAt(definition.timing(), key, slot, due);
    Instant dueAt = recorded.dueAt().orElseThrow();
    long shift = Duration.between(due, jittered).toMillis();
    while (shift != 0 && !due.plusMillis(shift).equals(dueAt)) {
      shift /= 2; // where the whole shift is not allowed
    }
    jittered = shift == 0 && !due.equals(dueAt) ? jittered : due.plusMillis(shift);
    Instant expected =
        definition.pacing() == Pacing.FINISH && jittered.isBefore(slot) ? slot : jittered;
    return dueAt.equals(expected) // or catch-up made it later, and it was missed again
        || (recorded.outcome() == Outcome.SKIPPED && dueAt.isAfter(expected));
  }

  private static boolean isAway(ExplainWorld world, Instant at) {
    return world.outages.stream()
        .anyMatch(outage -> !at.isBefore(outage[0].minusSeconds(300)) && !at.isAfter(outage[1]));
  }

  /* Nothing is due while no timing in force names it; else the window or the number of runs is why. */
  private static void hasAReasonToBeNone(ExplainStory story, Explanation explanation) {
    Instant at = explanation.at();
    Optional<Made> made = story.inForce(at);
    boolean named =
        made.filter(
                one ->
                    one.definition().pacing() == Pacing.SLOT
                        && one.definition().timing().matches(at))
            .isPresent();
    if (made.isEmpty()) {
      assertThat(explanation.text())
          .containsAnyOf("did not exist yet", "retired the schedule", "was complete at");
    } else if (named) {
      assertThat(
              has(explanation, What.WINDOW)
                  || has(explanation, What.MAX_RUNS)
                  || explanation.text().contains("was complete at")
                  || explanation.text().contains(", before this version was made.")
                  || explanation.text().contains(", after this version had ended."))
          .isTrue();
    }
  }

  private static boolean has(Explanation explanation, What what) {
    return explanation.steps().stream().anyMatch(step -> step.what() == what);
  }

  private static String first(Explanation explanation, What what) {
    return first(explanation, what, "");
  }

  private static String first(Explanation explanation, What what, String saying) {
    return explanation.steps().stream()
        .filter(step -> step.what() == what && step.because().contains(saying))
        .map(Step::because)
        .findFirst()
        .orElse("");
  }
}
