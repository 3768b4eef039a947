package dev.carillon.cli.run;

import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.remote.FilterCriteria;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which runs are meant. */
final class RunFilterOptions {
  @Option(
      names = "--schedule",
      paramLabel = "KEY",
      order = 80,
      description = "Only those of this schedule.")
  private @Nullable String schedule;

  @Option(
      names = "--target",
      paramLabel = "LABEL",
      order = 81,
      description = "Only those with this target.")
  private @Nullable String target;

  @Option(
      names = "--trigger",
      paramLabel = "TRIGGER",
      order = 82,
      description = "Only those that are scheduled, manual, ad_hoc or backfill.")
  private @Nullable String trigger;

  @Option(names = "--node", paramLabel = "ID", order = 83, description = "Only those on this node.")
  private @Nullable String node;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      order = 84,
      description = "Only those due from this day or moment on.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      order = 85,
      description = "Only those due until this day or moment.")
  private @Nullable String to;

  @Option(
      names = {"-q", "--query"},
      paramLabel = "TEXT",
      order = 86,
      description = "Only those with this text in them.")
  private @Nullable String text;

  @Option(
      names = "--correlation",
      paramLabel = "TEXT",
      order = 87,
      description = "Only those that share this word.")
  private @Nullable String correlation;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private ZoneOption zone;

  FilterCriteria criteria(Session session) {
    var optionValues = zone.optionValues(session);
    return new FilterCriteria()
        .with("--schedule", "schedule", schedule)
        .with("--target", "target", target)
        .with("--trigger", "trigger", trigger)
        .with("--node", "node", node)
        .with("--from", "from", optionValues.moment("--from", from, Edge.FIRST))
        .with("--to", "to", optionValues.moment("--to", to, Edge.AFTER))
        .with("--query", "q", text)
        .with("--correlation", "correlation", correlation);
  }
}
