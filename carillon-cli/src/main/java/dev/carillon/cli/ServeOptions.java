package dev.carillon.cli;

import dev.carillon.server.Setting;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Makes every setting of a server an option, but secrets, which other users of the machine could
 * see.
 */
final class ServeOptions implements IModelTransformer {
  static List<Setting> flags() {
    return Arrays.stream(Setting.values()).filter(setting -> !setting.secret()).toList();
  }

  @Override
  public CommandSpec transform(CommandSpec command) {
    for (Setting setting : flags()) {
      command.addOption(
          OptionSpec.builder(setting.flag())
              .paramLabel(setting.value())
              .description(setting.says())
              .type(String.class)
              .build());
    }
    return command;
  }
}
