package dev.carillon.cli;

import dev.carillon.server.Setting;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Gives {@code carillon serve} an option for each setting of a server that is no secret. */
final class ServeOptions implements IModelTransformer {
  @Override
  public CommandSpec transform(CommandSpec serve) {
    for (Setting setting : Setting.values()) {
      if (!setting.secret()) {
        serve.addOption(
            OptionSpec.builder(setting.flag())
                .paramLabel(setting.value())
                .type(String.class)
                .description(setting.says())
                .build());
      }
    }
    return serve;
  }
}
