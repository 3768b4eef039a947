package dev.carillon.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandHintsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          none; GET /api/v1/schedules lists them.            | none; 'carillon schedule list' lists them.
          none; GET /api/v1/calendars lists them.            | none; 'carillon calendar list' lists them.
          no 9; GET /api/v1/calendars/{name}/versions lists them. | no 9; 'carillon calendar show' tells the latest.
          none; GET /api/v1/schedules/{key}/versions lists them. | none; 'carillon schedule versions KEY' lists them.
          none; GET /api/v1/pings lists them.                | none; 'carillon ping list' lists them.
          none; GET /api/v1/calendars lists them.            | none; 'carillon calendar list' lists them.
          none; GET /api/v1/quiet-hours lists them.          | none; 'carillon quiet-hours list' lists them.
          x; PUT /api/v1/targets/{label} defines one         | x; 'carillon target put' defines one
          define it with PUT /api/v1/targets/workflow        | define it with 'carillon target put workflow'
          start one with POST /api/v1/runs, and see          | start one with 'carillon run start', and see
          There is one; PUT changes it.                      | There is one; 'carillon schedule edit' changes it.
          The schedule is not as If-Match says.              | The schedule was changed by another client meanwhile.
          must be POST, PUT or PATCH; was 'GET'              | must be POST, PUT or PATCH; was 'GET'
          """)
  void requests_become_commands(String said, String told) {
    assertThat(CommandHints.instead(said)).isEqualTo(told);
  }
}
