package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void help_names_every_command_and_shows_examples() {
    var answer = Answer.to("--help");

    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .startsWith("Usage: carillon COMMAND [OPTIONS]")
        .contains(
            "serve         Run the scheduler",
            "schedule      Define schedules",
            "Examples:",
            "  carillon serve",
            "Next:");
    assertThat(answer.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(101));
    assertThat(answer.err()).isEmpty();
  }

  @Test
  void no_command_at_all_shows_the_help() {
    assertThat(Answer.to()).isEqualTo(Answer.to("--help"));
  }

  @Test
  void help_on_a_command_is_what_the_command_says_of_itself() {
    assertThat(Answer.to("help", "cron")).isEqualTo(Answer.to("cron", "--help"));
    assertThat(Answer.to("help")).isEqualTo(Answer.to("--help"));
  }

  @Test
  void help_on_a_mistyped_command_suggests_the_nearest() {
    assertRefused(
        "carillon: unknown command 'sevre'; did you mean 'serve'? See 'carillon --help'.",
        "help",
        "sevre");
  }

  @Test
  void version_tells_all_that_decides_about_time() {
    assertThat(Answer.to("--version").out().lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("Carillon \\d+\\.\\d+\\.\\d+.*"),
            line -> assertThat(line).matches("PostgreSQL \\d+\\.\\d+.* \\(embedded\\)"),
            line -> assertThat(line).matches("Java \\d+.*"),
            line -> assertThat(line).matches("Time zone rules \\d{4}[a-z]+"));
  }

  @Test
  void a_mistyped_command_suggests_the_nearest() {
    assertRefused(
        "carillon: unknown command 'sevre'; did you mean 'serve'? See 'carillon --help'.", "sevre");
  }

  @Test
  void a_mistyped_option_suggests_the_nearest() {
    assertRefused(
        "carillon: unknown option '--prot'; did you mean '--port'? See 'carillon serve --help'.",
        "serve",
        "--prot=1");
  }

  @Test
  void a_word_that_is_near_nothing_suggests_nothing() {
    assertRefused("carillon: unknown command 'xylophone'. See 'carillon --help'.", "xylophone");
  }

  @Test
  void an_option_without_its_value_is_told() {
    assertRefused(
        "carillon: Missing required parameter for option '--port' (PORT). See 'carillon serve"
            + " --help'.",
        "serve",
        "--port");
  }

  @Test
  void a_value_out_of_range_is_told() {
    assertRefused(
        "carillon: --port must be a number from 0 (any free port) to 65535; was '65536'",
        "serve",
        "--port",
        "65536");
  }

  @Test
  void every_setting_of_a_server_is_an_option_unless_it_is_a_secret() {
    assertThat(Answer.to("serve", "--help").out())
        .contains("--database-url=URL", "--tls-certificate=FILE", "--jwt-issuer=TEXT")
        .doesNotContain("--database-password", "--admin-token");
  }

  private void assertRefused(String complaint, String... arguments) {
    assertThat(Answer.to(arguments))
        .isEqualTo(new Answer(2, "", complaint + System.lineSeparator()));
  }
}
