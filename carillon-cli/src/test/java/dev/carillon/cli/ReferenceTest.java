package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.console.Environment;
import dev.carillon.cli.file.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Holds the page of all commands against the commands; {@code -Dwrite.reference} writes it anew.
 */
class ReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/commands.md");
  private static final String BEGINNING =
      """
      # All commands

      What `--help` says, command by command. [cli.md](cli.md) tells how they find the server, what exit codes mean, and
      what files look like. This page is written from the program: `mvn -pl carillon-cli -am test -Dtest=ReferenceTest
      -Dwrite.reference -Dsurefire.failIfNoSpecifiedTests=false`.
      """;

  static Stream<CommandLine> commands() {
    var all = new ArrayList<CommandLine>();
    collect(Main.commandLine(Environment.ofThisProcess(), "completion"), all);
    return all.stream();
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().stream().distinct().forEach(below -> collect(below, all));
  }

  @Test
  void the_page_of_all_commands_is_what_they_say_of_themselves() throws IOException {
    var page = new StringBuilder(BEGINNING);
    commands()
        .forEach(
            command ->
                page.append(
                    "\n## %s\n\n```text\n%s```\n"
                        .formatted(command.getCommandSpec().qualifiedName(), help(command))));
    if (System.getProperty("write.reference") != null) {
      Files.writeString(PAGE, page.toString());
    }

    assertThat(PAGE).hasContent(page.toString());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_command_says_what_it_does_and_fits_on_a_screen(CommandLine command) {
    assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
    assertThat(help(command).lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(101));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_example_in_a_help_is_understood(CommandLine command) {
    List<String> examples =
        Stream.of(command.getCommandSpec().usageMessage().footer())
            .filter(line -> line.startsWith("  carillon "))
            .toList();

    for (String example : examples) {
      String[] words = Words.of(example.strip().replaceFirst(" [>|] .*", ""));
      var understood = Main.commandLine(Environment.ofThisProcess(), words).parseArgs(words);
      assertThat(understood.errors()).as(example).isEmpty();
    }
  }

  @Test
  void the_schedules_in_the_documentation_can_be_read() throws IOException {
    String page = Files.readString(Path.of("../docs/reference/cli.md"));
    String yaml = page.substring(page.indexOf("```yaml") + 7);

    assertThat(
            new Documents(
                    Around.in(Path.of(""))
                        .reading(yaml.substring(0, yaml.indexOf("```")))
                        .environment())
                .read(List.of("-")))
        .extracting(document -> document.body().at("/timing").toString())
        .containsExactly(
            "{\"cron\":\"0 2 * * *\",\"zone\":\"Europe/Rome\"}", "{\"every\":\"PT30S\"}");
  }

  private static String help(CommandLine command) {
    return command.getUsageMessage(Ansi.OFF);
  }
}
