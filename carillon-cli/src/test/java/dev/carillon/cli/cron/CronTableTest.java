package dev.carillon.cli.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.console.TerminalWriter;
import dev.carillon.time.Cron;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class CronTableTest {
  private static final String ESCAPE = "\u001b[";

  @Test
  void a_terminal_gets_colours_and_a_pipe_none() {
    assertThat(printed(true))
        .contains(ESCAPE + "1mAt 02:30")
        .contains(ESCAPE + "33mwarning DST_GAP");
    assertThat(printed(false)).doesNotContain(ESCAPE);
  }

  private static String printed(boolean colour) {
    var rome = ZoneId.of("Europe/Rome");
    var stretch =
        new CronReport.Stretch(Instant.parse("2027-03-26T00:00:00Z"), Instant.MAX, 3, false);
    var text = new StringWriter();
    new CronTable(colour)
        .print(
            CronReport.of("30 2 * * *", Cron.parse("30 2 * * *", rome), "", rome, stretch),
            TerminalWriter.around(new PrintWriter(text, true)));
    return text.toString();
  }
}
