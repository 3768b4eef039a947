package dev.carillon.cli.schedule;

import dev.carillon.cli.remote.FilterCriteria;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which schedules are meant, when it is not one by its key. */
final class ScheduleFilterOptions {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      order = 80,
      description = "Only those that are active, paused, completed or retired.")
  private @Nullable String status;

  @Option(
      names = "--target",
      paramLabel = "LABEL",
      order = 81,
      description = "Only those with this target.")
  private @Nullable String target;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      order = 82,
      description = "Only those with this tag.")
  private @Nullable String tag;

  @Option(
      names = {"-q", "--query"},
      paramLabel = "TEXT",
      order = 83,
      description = "Only those with this text in their key or description.")
  private @Nullable String text;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      order = 84,
      description =
          "Only those whose payload contains this, such as '{\"instanceId\":\"x\"}'; @FILE and -"
              + " (stdin) work too.")
  private @Nullable String payload;

  FilterCriteria criteria(Session session) {
    return new FilterCriteria()
        .with("--status", "status", status)
        .with("--target", "target", target)
        .with("--tag", "tag", tag)
        .with("--query", "q", text)
        .with(
            "payload",
            new OptionValues(session.environment())
                .json("--payload", OptionValues.filled("--payload", payload)));
  }
}
