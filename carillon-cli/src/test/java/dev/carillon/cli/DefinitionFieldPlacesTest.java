package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.definition.DefinitionField;
import dev.carillon.definition.DefinitionFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Finds each field of a definition where people look for it. */
class DefinitionFieldPlacesTest {
  /* Set by options that are not derived, or by --set. */
  private static final Set<String> WITHOUT_OPTION =
      Set.of("target", "payload", "timing", "window", "jitterMode", "recovery", "tags");

  static Stream<DefinitionField<?>> fields() {
    return DefinitionFields.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void the_reference_names_each_field(DefinitionField<?> field) throws IOException {
    String page = Files.readString(Path.of("../docs/reference/rest.md"));

    assertThat(page).containsAnyOf("\"" + field.name() + "\"", "`" + field.name() + "`");
  }

  @ParameterizedTest
  @MethodSource("fields")
  void each_field_has_an_option(DefinitionField<?> field) {
    assertThat(field.options().isEmpty()).isEqualTo(WITHOUT_OPTION.contains(field.name()));
    for (String command : List.of("create", "edit")) {
      CommandLine schedule =
          ReferenceTest.commands()
              .filter(
                  each ->
                      each.getCommandSpec().qualifiedName().equals("carillon schedule " + command))
              .findFirst()
              .orElseThrow();
      assertThat(field.options())
          .allSatisfy(
              option -> assertThat(schedule.getUsageMessage()).contains(" " + option.name() + "="));
    }
  }
}
