package dev.carillon.cli.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.Simulation;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import dev.carillon.time.DurationText;
import dev.carillon.time.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon simulate}. */
@Command(
    name = "simulate",
    description = {
      "Tell what would become of schedules over a period; nothing runs, nothing is changed.",
      "",
      "Plans as nodes do, with time moved: calendars, quiet hours, windows, jitter, pauses, overlap if",
      "runs take --duration, catch-up after each --outage. With -f, schedules in files are taken, with",
      "calendars and quiet hours in these files; a server is needed only if they name others, which are",
      "those of the server. Otherwise, schedules of the server. A schedule is taken to have made no runs",
      "before."
    },
    footer = {
      "",
      "Examples:",
      "  carillon simulate -f schedules/ --from 2027-03-27 --to 2027-03-29",
      "  carillon simulate -f nightly.yaml --outage \"2027-03-27 01:00/2027-03-27 06:00\"",
      "  carillon simulate --to now+6h --duration 20m --svg timeline.svg",
      "",
      "Exit codes: 0 shown, 2 an option, a file or a definition is wrong."
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class SimulateCommand implements Runnable {
  private static final Duration DEFAULT_PERIOD = Duration.ofDays(1);

  @Mixin private Session session;

  @Mixin private ZoneOption zone;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "YAML or JSON with schedules; a folder with such files; or - for stdin. Can be repeated.")
  private List<String> sources = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "First day or moment (default: now).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Last day, or the moment after; at most 366 days later (default: a day later).")
  private @Nullable String to;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      description = "How long each run takes (default: no time).")
  private @Nullable String duration;

  @Option(
      names = "--outage",
      paramLabel = "FROM/TO",
      description = "Let no node run from a moment until another. Can be repeated.")
  private List<String> outages = List.of();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "1000",
      description = "Stop after so many runs of a schedule (default: ${DEFAULT-VALUE}).")
  private int limit = 1_000;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw a timeline into this file; what is to come has an outline only.")
  private @Nullable String svg;

  @Override
  public void run() {
    OptionValues values = zone.optionValues(session);
    OptionValues.filled("--svg", svg);
    Instant start = moment(values, "--from", from, Edge.FIRST).orElseGet(this::now);
    Instant end = moment(values, "--to", to, Edge.AFTER).orElse(start.plus(DEFAULT_PERIOD));
    List<Timeline.Span> gaps = outages.stream().map(outage -> span(values, outage)).toList();
    Simulation simulation = simulation(start, end, gaps);
    SimulationSource.Input input = new SimulationSource(session).read(sources);
    Simulation ruled = input.rules().applyTo(simulation);
    Timeline timeline = timeline(ruled, new Timeline.Period(start, end, gaps), input.entries());
    timeline.warnings().forEach(warning -> session.note("warning: " + warning));
    if (svg != null) {
      write(svg, TimelineSvg.draw(timeline, now()));
    }
    JsonNode json = timeline.json();
    session.print(
        json,
        output -> {
          if (svg == null) {
            TimelineText.print(timeline, output);
          } else {
            output.line(
                "%s of %s are drawn in %s"
                    .formatted(
                        CountText.of(timeline.runs(), "run", "runs"),
                        CountText.of(timeline.schedules().size(), "schedule", "schedules"),
                        TerminalText.line(svg)));
          }
        });
  }

  private Timeline timeline(
      Simulation simulation, Timeline.Period period, List<SimulationSource.Entry> entries) {
    try {
      return Timeline.of(simulation, period, entries, limit);
    } catch (InvalidValueException e) {
      throw Session.wrong("%s", String.valueOf(e.getMessage()));
    }
  }

  private Instant now() {
    return session.environment().clock().instant().truncatedTo(ChronoUnit.SECONDS);
  }

  private Simulation simulation(Instant start, Instant end, List<Timeline.Span> gaps) {
    Simulation simulation = tried("--to", () -> Simulation.between(start, end));
    if (duration != null) {
      Simulation plain = simulation;
      String text = duration;
      simulation = tried("--duration", () -> plain.runTime(DurationText.parse(text)));
    }
    for (Timeline.Span gap : gaps) {
      Simulation before = simulation;
      simulation = tried("--outage", () -> before.outage(gap.from(), gap.to()));
    }
    Simulation all = simulation;
    return tried("--limit", () -> all.mostRuns(limit));
  }

  private static Simulation tried(String option, Supplier<Simulation> step) {
    try {
      return step.get();
    } catch (InvalidValueException e) {
      throw Session.wrong(
          "%s: %s",
          e.field().filter("from"::equals).map(field -> "--from").orElse(option),
          String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw Session.wrong("%s: %s", option, String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Instant> moment(
      OptionValues values, String option, @Nullable String text, Edge edge) {
    return Optional.ofNullable(values.moment(option, text, edge)).map(Instant::parse);
  }

  private static Timeline.Span span(OptionValues values, String outage) {
    var ends = new ArrayList<String>(List.of(outage.split("/", -1)));
    if (ends.size() != 2 || ends.stream().anyMatch(String::isBlank)) {
      throw Session.wrong(
          "--outage: '%s' is not FROM/TO, such as '2027-03-27 01:00/2027-03-27 06:00'", outage);
    }
    return new Timeline.Span(
        moment(values, "--outage", ends.get(0), Edge.FIRST).orElseThrow(),
        moment(values, "--outage", ends.get(1), Edge.AFTER).orElseThrow());
  }

  private void write(String file, String text) {
    try {
      Files.writeString(session.environment().folder().resolve(file), text);
    } catch (IOException | InvalidPathException e) {
      throw new CommandFailure(
          Exit.FAILED,
          "--svg: %s cannot be written; is there such a folder, and is it yours?".formatted(file));
    }
  }
}
