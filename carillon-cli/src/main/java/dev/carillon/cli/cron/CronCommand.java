package dev.carillon.cli.cron;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.DateTimeReader;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Session;
import dev.carillon.time.Cron;
import dev.carillon.time.CronSyntaxException;
import dev.carillon.time.DstGap;
import dev.carillon.time.DstOverlap;
import dev.carillon.time.Timing;
import dev.carillon.time.UnknownZoneException;
import dev.carillon.time.Zones;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code carillon cron}: explains a timing without storing anything. */
@Command(
    name = "cron",
    description = "Explain a cron expression: in words, with its next fires and its pitfalls.",
    customSynopsis = "carillon cron EXPRESSION [OPTIONS]",
    footer = {
      "",
      "Examples:",
      "  carillon cron \"30 2 * * 1-5\" --zone Europe/Rome",
      "  carillon cron \"0 0 L * *\" --from 2027-01-01 --until 2027-12-31",
      "  carillon cron \"@every 90s\" --json",
      "  carillon cron \"0 9 * * *\" --calendar it --roll following --quiet-hours night",
      "",
      "Exit codes: 0 explained, 2 the expression or an option is wrong."
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CronCommand implements Runnable {
  private static final int MAX_COUNT = 10_000;
  private static final int MAX_RULED = 100;
  private static final int DEFAULT_COUNT = 5;
  private static final int DEFAULT_COUNT_UNTIL = 100;

  private final Environment environment;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "EXPRESSION",
      arity = "1..*",
      description =
          "5 fields (minute hour day-of-month month day-of-week), 6 with seconds first, 7 with the"
              + " year last; or @daily and the like; or @every 90s. Put it in quotes.")
  private List<String> expression;

  @Option(
      names = {"-z", "--zone"},
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "Time zone, such as Europe/Rome. Default: ${DEFAULT-VALUE}.")
  private String zone = "UTC";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Show fires from this day on, as in 2027-03-26, or after this moment: 2027-03-26T09:30"
              + " (in the zone), 2027-03-26T08:30:00Z. Default: now.")
  private @Nullable String from;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Show no fires after this day or moment (with --previous: before it).")
  private @Nullable String until;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description =
          "How many fires to show, at most "
              + MAX_COUNT
              + ". Default: "
              + DEFAULT_COUNT
              + ", or "
              + DEFAULT_COUNT_UNTIL
              + " with --until.")
  private @Nullable Integer count;

  @Option(names = "--previous", description = "Look back from --from instead, newest first.")
  private boolean previous;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      defaultValue = "",
      description = "Key of the schedule, which decides what H stands for.")
  private String key = "";

  @Option(
      names = "--dst-gap",
      paramLabel = "RULE",
      defaultValue = "fire_after",
      description =
          "For local times the clocks skip: fire_after (once, right after) or skip."
              + " Default: ${DEFAULT-VALUE}.")
  private String gap = "fire_after";

  @Option(
      names = "--dst-overlap",
      paramLabel = "RULE",
      defaultValue = "auto",
      description =
          "For local times that occur twice: auto (both for wildcards, else first), first or both."
              + " Default: ${DEFAULT-VALUE}.")
  private String overlap = "auto";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--calendar",
      paramLabel = "NAME",
      description = "Follow this calendar of the server, as schedules do.")
  private @Nullable String calendar;

  @Option(
      names = "--roll",
      paramLabel = "ROLL",
      description =
          "With --calendar: skip, following (default), modified_following, preceding,"
              + " modified_preceding or nearest.")
  private @Nullable String roll;

  @Option(
      names = "--offset",
      paramLabel = "N",
      description = "With --calendar: so many business days later, or earlier if negative.")
  private @Nullable Integer offset;

  @Option(
      names = "--outside-hours",
      paramLabel = "RULE",
      description = "With --calendar, outside of working hours: allow (default), skip or defer.")
  private @Nullable String outsideHours;

  @Option(
      names = "--quiet-hours",
      paramLabel = "NAME",
      description = "Keep these quiet hours of the server, as schedules do.")
  private @Nullable String quietHours;

  /** Explain timings by the clock of {@code environment}, and by the rules of its server. */
  public CronCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    if (calendar != null || quietHours != null) {
      RuledFires fires = RuledFires.ask(new Session(environment), question());
      if (json) {
        out.println(Json.pretty(fires.json()));
      } else {
        fires.print(out);
      }
      out.flush();
      return;
    }
    if (roll != null || offset != null || outsideHours != null) {
      throw wrong("--roll, --offset and --outside-hours say how to follow a --calendar; name it");
    }
    CronReport report = report();
    if (json) {
      out.println(Json.pretty(report.json()));
    } else {
      new CronTable(Ansi.AUTO.enabled()).print(report, out);
    }
    out.flush();
  }

  private ObjectNode question() {
    if (previous || until != null) {
      throw wrong(
          "with --calendar or --quiet-hours, the next fires are shown; use --from and --count");
    }
    CronReport local = report(); // so that mistakes are told as ever
    ObjectNode question = Json.object();
    ObjectNode timing = question.putObject("timing");
    timing.put("cron", local.resolved()).put("zone", zone);
    if (!local.resolved().startsWith("@")) {
      timing.put("dstGap", gap).put("dstOverlap", overlap);
    }
    question
        .put("zone", zone)
        .put("from", local.stretch().from().toString())
        .put("count", Math.min(MAX_RULED, local.stretch().limit()));
    if (calendar != null) {
      ObjectNode policy = question.putObject("calendar").put("name", calendar);
      if (roll != null) {
        policy.put("roll", roll);
      }
      if (offset != null) {
        policy.put("offset", offset);
      }
      if (outsideHours != null) {
        policy.put("outsideHours", outsideHours);
      }
    }
    if (quietHours != null) {
      question.put("quietHours", quietHours);
    }
    return question;
  }

  private CronReport report() {
    try {
      ZoneId place = Zones.of(zone);
      Timing timing = timing(place);
      return CronReport.of(text(), timing, key, place, stretch(place));
    } catch (CronSyntaxException | UnknownZoneException e) {
      throw new CommandFailure(ExitCode.USAGE, e);
    }
  }

  private String text() {
    if (expression.size() > 1) {
      throw wrong("put the expression in quotes, or the shell takes it apart and * means files");
    }
    return expression.get(0);
  }

  private Timing timing(ZoneId place) {
    Timing timing = Timing.parse(text(), place, key);
    return timing instanceof Cron cron
        ? cron.withGap(choice("--dst-gap", gap, DstGap.values()))
            .withOverlap(choice("--dst-overlap", overlap, DstOverlap.values()))
        : timing;
  }

  private CronReport.Stretch stretch(ZoneId place) {
    int limit = count != null ? count : until == null ? DEFAULT_COUNT : DEFAULT_COUNT_UNTIL;
    if (limit < 1 || limit > MAX_COUNT) {
      throw wrong("--count must be from 1 to " + MAX_COUNT + "; was " + limit);
    }
    Instant start =
        from == null ? now() : moment("--from", from, place, previous ? Edge.FIRST : Edge.BEFORE);
    Instant open = previous ? Instant.MIN : Instant.MAX;
    Instant end =
        until == null ? open : moment("--until", until, place, previous ? Edge.FIRST : Edge.LAST);
    if (previous ? end.isAfter(start) : end.isBefore(start)) {
      throw wrong("--until must not be " + (previous ? "after" : "before") + " --from");
    }
    return new CronReport.Stretch(start, end, limit, previous);
  }

  private Instant now() {
    return environment.clock().instant().truncatedTo(ChronoUnit.SECONDS);
  }

  private Instant moment(String option, String text, ZoneId place, Edge edge) {
    return DateTimeReader.parse(text, now(), place, edge)
        .orElseThrow(
            () ->
                wrong(
                    "%s: '%s' is neither a date nor a time; %s"
                        .formatted(option, text, DateTimeReader.FORMS)));
  }

  private <E extends Enum<E>> E choice(String option, String text, E[] values) {
    for (E value : values) {
      if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
        return value;
      }
    }
    throw wrong(
        "%s: '%s' is not one of %s"
            .formatted(option, text, Arrays.toString(values).toLowerCase(Locale.ROOT)));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
