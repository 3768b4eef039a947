package dev.carillon.cli;

import dev.carillon.cli.console.Environment;
import dev.carillon.cli.cron.CronCommand;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Creates the commands and mixins of picocli, and gives sessions their environment. */
record CommandFactory(Environment environment) implements IFactory {
  @Override
  public <K> K create(Class<K> type) throws Exception {
    if (type == CronCommand.class) {
      return type.cast(new CronCommand(environment));
    }
    return type == Session.class
        ? type.cast(new Session(environment))
        : CommandLine.defaultFactory().create(type);
  }
}
