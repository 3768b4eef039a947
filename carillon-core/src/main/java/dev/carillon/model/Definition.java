package dev.carillon.model;

import dev.carillon.policy.CalendarPolicy;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Expectation;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Pacing;
import dev.carillon.policy.RunPolicy;
import dev.carillon.policy.WorkingDuration;
import dev.carillon.time.Jitter;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import dev.carillon.time.Zones;
import dev.carillon.time.business.CalendarTiming;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What one version of a schedule says: what runs, when, and under which policies.
 *
 * @param target the label of what runs
 * @param payload what each run is given
 * @param timing when
 * @param pacing for an interval, from where it is measured
 * @param window when it is in force
 * @param jitter how far runs are moved from their slots
 * @param calendar which calendar its slots follow
 * @param quietHours the name of the quiet hours it keeps
 * @param overlap what happens to a run that is due while another is unfinished
 * @param catchUp what happens to slots that nothing could run
 * @param policy what each run takes with it
 * @param deadline by when each run must be finished, and what runs if it is not
 * @param expect how often it is expected to succeed
 * @param maxRuns after how many slots the schedule is complete; zero for no end
 * @param description what it is for, in words; may be empty
 * @param tags words to find it by
 */
public record Definition(
    String target,
    Payload payload,
    Timing timing,
    Pacing pacing,
    Window window,
    Jitter jitter,
    Optional<CalendarPolicy> calendar,
    Optional<String> quietHours,
    Overlap overlap,
    CatchUp catchUp,
    RunPolicy policy,
    Optional<Deadline> deadline,
    Optional<Expectation> expect,
    long maxRuns,
    String description,
    List<String> tags) {

  public Definition {
    tags = List.copyOf(tags);
    policy = policy.template().isEmpty() ? policy : policy.template(zone(timing).getId());
  }

  private static ZoneId zone(Timing timing) {
    return Zones.of(timing).orElse(ZoneOffset.UTC);
  }

  /** Tell whether it names what moves the due times of its slots: a calendar or quiet hours. */
  public boolean isRuled() {
    return calendar.isPresent() || quietHours.isPresent() || timing instanceof CalendarTiming;
  }

  /** Return the names of the calendars that decide when its slots are due. */
  public List<String> dueCalendars() {
    var names = new LinkedHashSet<String>();
    if (timing instanceof CalendarTiming named) {
      names.add(named.calendar());
    }
    calendar.map(CalendarPolicy::name).ifPresent(names::add);
    return List.copyOf(names);
  }

  /** Return the time zone of the timing; UTC if it has none. */
  public ZoneId zone() {
    return zone(timing);
  }

  /** Tell whether it names a calendar or quiet hours at all, be it to count working time. */
  public boolean namesCalendars() {
    return isRuled() || !workingDurations().isEmpty();
  }

  /** Return the calendars that it names: of its due times, of its timing and of working time. */
  public Set<String> calendarNames() {
    var names = new LinkedHashSet<>(dueCalendars());
    workingDurations().forEach(duration -> names.add(duration.calendar()));
    return names;
  }

  /** Return the durations that it counts in working time. */
  public List<WorkingDuration> workingDurations() {
    var found = new ArrayList<WorkingDuration>(policy.workingDurations());
    deadline
        .flatMap(Deadline::calendar)
        .ifPresent(
            name ->
                found.add(
                    new WorkingDuration(
                        "deadline/calendar",
                        name,
                        deadline.flatMap(Deadline::after).orElse(Duration.ZERO))));
    return found;
  }

  /** Return this with what {@code change} sets. */
  public Definition with(Consumer<Builder> change) {
    var copy = new Builder(this);
    change.accept(copy);
    return copy.build();
  }

  /** A definition in the making; what is not set is at its default. */
  public static final class Builder {
    public String target;
    public Payload payload = Payload.EMPTY;
    public Timing timing;
    public Pacing pacing = Pacing.SLOT;
    public Window window = Window.ALWAYS;
    public Jitter jitter = Jitter.NONE;
    public Optional<CalendarPolicy> calendar = Optional.empty();
    public Optional<String> quietHours = Optional.empty();
    public Overlap overlap = Overlap.SKIP;
    public CatchUp catchUp = CatchUp.skip();
    public RunPolicy policy = RunPolicy.DEFAULT;
    public Optional<Deadline> deadline = Optional.empty();
    public Optional<Expectation> expect = Optional.empty();
    public long maxRuns;
    public String description = "";
    public List<String> tags = List.of();

    /** Define what runs when, with all else at its default. */
    public Builder(String target, Timing timing) {
      this.target = target;
      this.timing = timing;
    }

    /** Begin with what {@code definition} says. */
    public Builder(Definition definition) {
      target = definition.target;
      payload = definition.payload;
      timing = definition.timing;
      pacing = definition.pacing;
      window = definition.window;
      jitter = definition.jitter;
      calendar = definition.calendar;
      quietHours = definition.quietHours;
      overlap = definition.overlap;
      catchUp = definition.catchUp;
      policy = definition.policy;
      deadline = definition.deadline;
      expect = definition.expect;
      maxRuns = definition.maxRuns;
      description = definition.description;
      tags = definition.tags;
    }

    /** Return the definition. */
    public Definition build() {
      return new Definition(
          target,
          payload,
          timing,
          pacing,
          window,
          jitter,
          calendar,
          quietHours,
          overlap,
          catchUp,
          policy,
          deadline,
          expect,
          maxRuns,
          description,
          tags);
    }
  }
}
