package dev.carillon.cli.schedule;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import dev.carillon.definition.DefinitionField;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.definition.FieldType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A schedule in options, or what is to change of one; {@code --set} can say everything. */
final class DefinitionOptions {
  private static final String ONE_WAY =
      "say when it fires, in one way: --cron, --every, --at, --in, --business-day or"
          + " --business-days-after";

  @Option(
      names = "--target",
      paramLabel = "LABEL",
      description = "What runs; 'carillon target list' shows what there is.")
  private @Nullable String target;

  @Option(
      names = "--cron",
      paramLabel = "EXPRESSION",
      description = "Fire by a cron expression; 'carillon cron' explains it.")
  private @Nullable String cron;

  @Option(
      names = {"-z", "--zone"},
      paramLabel = "ZONE",
      description =
          "Time zone, such as Europe/Rome, of the cron expression, of times that name none, and whose"
              + " calendar counts months (default: UTC).")
  private @Nullable String zone;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      description = "Fire again and again, such as 30s, 15m, 1h30m or P1M.")
  private @Nullable String every;

  @Option(
      names = "--after",
      paramLabel = "EVENT",
      description = "With --every: count from the start or the finish of the last run.")
  private @Nullable String after;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "Fire once, at this moment; such as '2027-03-26 09:30' or tomorrow. With --calendar: open or"
              + " close, whenever its working hours do.")
  private @Nullable String at;

  @Option(
      names = "--offset",
      paramLabel = "DURATION",
      description = "With --at open or close: so much later, or earlier, such as -15m.")
  private @Nullable String offset;

  @Option(
      names = "--business-day",
      paramLabel = "N",
      description =
          "Fire on the n-th business day of every month of --calendar, at --time; -2 is the last but"
              + " one, last the last.")
  private @Nullable String businessDay;

  @Option(
      names = "--business-days-after",
      paramLabel = "N",
      description =
          "Fire once, so many business days of --calendar after --date, at --time; before it if"
              + " negative.")
  private @Nullable String businessDaysAfter;

  @Option(
      names = "--date",
      paramLabel = "DATE",
      description = "With --business-days-after: from when they are counted, such as 2026-12-01.")
  private @Nullable String date;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description = "With --business-day or --business-days-after: the time of day, such as 09:00.")
  private @Nullable String time;

  @Option(
      names = "--in",
      paramLabel = "DURATION",
      description = "Fire once, so long from now, such as 15m, 3d or P1M.")
  private @Nullable String in;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "What each run is given: JSON, @FILE, or - for stdin.")
  private @Nullable String payload;

  @Option(names = "--from", paramLabel = "TIME", description = "No slot before this.")
  private @Nullable String from;

  @Option(names = "--until", paramLabel = "TIME", description = "No slot after this.")
  private @Nullable String until;

  @Option(names = "--tag", paramLabel = "TAG", description = "To find it by; can be repeated.")
  private List<String> tags = List.of();

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description =
          "Any field, such as retry.maxBackoff=1h, payload.to=ops, tags=[a,b] or timeout=null; can be"
              + " repeated.")
  private List<String> assignments = List.of();

  private final Map<DefinitionField.Option, String> said = new LinkedHashMap<>();

  @Spec(Spec.Target.MIXEE)
  void addOptions(CommandSpec command) {
    DefinitionFields.ALL.stream()
        .flatMap(field -> field.options().stream())
        .forEach(option -> command.addOption(spec(option)));
  }

  private OptionSpec spec(DefinitionField.Option option) {
    return OptionSpec.builder(option.name())
        .paramLabel(option.label())
        .description(option.description())
        .arity("1")
        .type(type(option.kind()))
        .setter(
            new ISetter() {
              @Override
              @SuppressWarnings("unchecked") // so picocli wants it
              public <T> @Nullable T set(@Nullable T value) {
                return (T)
                    (value == null ? said.remove(option) : said.put(option, value.toString()));
              }
            })
        .build();
  }

  private static Class<?> type(FieldType.Kind kind) {
    return switch (kind) {
      case WHOLE_NUMBER -> Long.class;
      case FLAG -> Boolean.class;
      default -> String.class;
    };
  }

  private static void put(
      ObjectNode schedule, DefinitionField.Option option, String value, OptionValues optionValues) {
    var pointer = JsonPointer.compile(option.pointer());
    schedule
        .withObject(pointer.head())
        .set(
            pointer.last().getMatchingProperty(),
            switch (option.kind()) {
              case WHOLE_NUMBER -> LongNode.valueOf(Long.parseLong(value));
              case FLAG -> BooleanNode.valueOf(Boolean.parseBoolean(value));
              case DURATION -> TextNode.valueOf(optionValues.duration(option.name(), value));
              default -> TextNode.valueOf(value);
            });
  }

  /** Return a new schedule, which needs a target and a timing. */
  ObjectNode definition(Session session) {
    ObjectNode schedule = json(session);
    if (!schedule.has("target")) {
      throw Session.wrong("say what runs: --target; 'carillon target list' shows what there is");
    }
    if (!schedule.path("timing").isObject()) {
      throw Session.wrong(ONE_WAY);
    }
    return schedule;
  }

  /** Return what is to change of a schedule, as a merge patch. */
  ObjectNode patch(Session session) {
    ObjectNode patch = json(session);
    if (zone != null
        && Stream.of(every, at, in, from, until, businessDay, businessDaysAfter)
            .allMatch(Objects::isNull)) {
      patch.withObject("/timing").put("zone", zone);
    }
    replaceOtherDeadline(patch);
    if (patch.isEmpty()) {
      throw Session.wrong("say what to change, with options such as --cron or --set PATH=VALUE");
    }
    return patch;
  }

  /* A deadline is after a while or at a time of day: what is said takes the place of the other. */
  private static void replaceOtherDeadline(ObjectNode patch) {
    if (patch.path("deadline") instanceof ObjectNode deadline) {
      if (deadline.has("at") && !deadline.has("after")) {
        deadline.putNull("after");
        if (!deadline.has("calendar")) {
          deadline.putNull("calendar");
        }
      } else if (deadline.has("after") && !deadline.has("at")) {
        deadline.putNull("at");
      }
    }
  }

  private ObjectNode json(Session session) {
    OptionValues optionValues = ZoneOption.optionValues(session, zone);
    ObjectNode schedule = Json.object();
    Json.put(schedule, "target", target);
    put(schedule, "timing", timing(optionValues));
    optionValues.addPayload(schedule, payload);
    ObjectNode window = Json.object();
    Json.put(window, "from", optionValues.moment("--from", from, Edge.FIRST));
    Json.put(window, "until", optionValues.moment("--until", until, Edge.LAST));
    put(schedule, "window", window);
    said.forEach((option, value) -> put(schedule, option, value, optionValues));
    if (isByCalendar()) {
      CalendarTimingOptions.place(schedule);
    }
    tags.forEach(tag -> schedule.withArray("tags").add(tag));
    assignments.forEach(assignment -> Assignment.parse(assignment).applyTo(schedule));
    return schedule;
  }

  private ObjectNode timing(OptionValues optionValues) {
    if (Stream.of(cron, every, at, in, businessDay, businessDaysAfter)
            .filter(Objects::nonNull)
            .count()
        > 1) {
      throw Session.wrong(ONE_WAY);
    }
    if (isByCalendar()) {
      ObjectNode timing =
          CalendarTimingOptions.json(at, offset, businessDay, businessDaysAfter, date, time);
      Json.put(timing, "zone", zone);
      return timing;
    }
    CalendarTimingOptions.refuse(offset, date, time);
    if (after != null && every == null) {
      throw Session.wrong("--after goes with --every");
    }
    ObjectNode timing = Json.object();
    Json.put(timing, "cron", cron == null ? null : cron.strip());
    Json.put(timing, "every", optionValues.duration("--every", every));
    Json.put(timing, "after", after);
    Json.put(timing, "at", optionValues.moment("--at", at, Edge.FIRST));
    Json.put(timing, "in", optionValues.duration("--in", in));
    if (cron != null || isCalendarPeriod(every) || isCalendarPeriod(in)) {
      Json.put(timing, "zone", zone);
    }
    return timing;
  }

  private boolean isByCalendar() {
    return businessDay != null || businessDaysAfter != null || CalendarTimingOptions.isEdge(at);
  }

  /* Such as P1M, whose length depends on where the clocks are. */
  private static boolean isCalendarPeriod(@Nullable String length) {
    return length != null && length.strip().matches("P[0-9]+[YMW].*");
  }

  private static void put(ObjectNode object, String name, ObjectNode value) {
    if (!value.isEmpty()) {
      object.set(name, value);
    }
  }
}
