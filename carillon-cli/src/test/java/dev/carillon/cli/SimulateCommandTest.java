package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Terminal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** {@code carillon simulate} with files, for which there is no server. */
class SimulateCommandTest {
  private static final Instant NOW = Instant.parse("2027-03-27T12:00:00Z");
  private static final List<String> PERIOD =
      List.of("--from", "2027-03-27T00:00:00Z", "--to", "2027-03-29T00:00:00Z");

  private final Path folder;

  SimulateCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Answer simulate(String... more) {
    return Answer.in(around(InputStream.nullInputStream()), words(more));
  }

  private static String[] words(String... more) {
    return Stream.of(Stream.of("simulate"), PERIOD.stream(), Stream.of(more))
        .flatMap(part -> part)
        .toArray(String[]::new);
  }

  /* A command that asked a server would find none. */
  private Environment around(InputStream in) {
    return new Environment(
        Map.of("CARILLON_SERVER", "http://127.0.0.1:1"), folder, in, Terminal.none(), () -> NOW);
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void a_clock_change_is_shown_as_it_will_be() throws Exception {
    write(
        "nightly.yaml",
        """
        key: nightly
        target: report
        timing: {cron: "30 2 * * *", zone: Europe/Rome}
        """);

    Answer answer = simulate("-f", "nightly.yaml");

    assertThat(answer)
        .isEqualTo(
            new Answer(
                0,
                """
                SLOT                  SCHEDULE  OUTCOME    STARTS                ENDS                  BECAUSE
                2027-03-27T01:30:00Z  nightly   succeeded  2027-03-27T01:30:00Z  2027-03-27T01:30:00Z
                2027-03-28T01:00:00Z  nightly   succeeded  2027-03-28T01:00:00Z  2027-03-28T01:00:00Z

                2 runs of 1 schedule from 2027-03-27T00:00:00Z to 2027-03-29T00:00:00Z; 0 slots become no run
                """,
                ""));
  }

  @Test
  void an_outage_and_a_duration_show_catch_up_and_overlap() throws Exception {
    write(
        "all.yaml",
        """
        schedules:
          - key: hourly
            target: report
            timing: {cron: "0 * * * *"}
            catchUp: {mode: once, grace: PT0S}
          - key: slow
            target: report
            timing: {every: PT6H}
            overlap: skip
        """);

    Answer answer =
        simulate(
            "-f",
            "all.yaml",
            "--outage",
            "2027-03-27 01:30/2027-03-27 05:30",
            "--duration",
            "7h",
            "-o",
            "json");
    JsonNode json = Json.read(answer.out());

    assertThat(answer.err()).isEmpty();
    assertThat(json.at("/outages/0/to").asText()).isEqualTo("2027-03-27T05:30:00Z");
    assertThat(json.at("/schedules/0/dropped/0/reason").asText()).isEqualTo("missed");
    assertThat(json.at("/schedules/0/dropped/0/slots").asLong()).isEqualTo(3);
    assertThat(json.at("/schedules/1/runs/0/reason").asText())
        .isEqualTo("its node was lost, and it was run again from 2027-03-27T05:30:00Z");
    assertThat(json.at("/schedules/1/runs/1/outcome").asText()).isEqualTo("skipped");
    assertThat(json.at("/schedules/1/runs/1/startedAt").isNull()).isTrue();
    assertThat(simulate("-f", "all.yaml", "-o", "yaml").out()).startsWith("from: ");
  }

  @Test
  void a_mistake_in_a_file_is_named_with_its_line_and_field() throws Exception {
    write(
        "bad.yaml",
        """
        key: good
        target: report
        timing: {every: PT6H}
        ---
        key: bad
        target: report
        timing:
          cron: "61 * * * *"
        overlapp: skip
        """);

    Answer answer = simulate("-f", "bad.yaml");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err())
        .startsWith("carillon: nothing was simulated: 2 mistakes\n")
        .contains("bad.yaml:8 (document 2, timing.cron): ")
        .contains("bad.yaml:9 (document 2, overlapp): ");
  }

  @Test
  void what_is_no_schedule_is_refused() throws Exception {
    write("broken.yaml", "key: [");
    write("empty.yaml", "");
    write("list.yaml", "- 1\n");

    assertThat(simulate("-f", "broken.yaml").code()).isEqualTo(2);
    assertThat(simulate("-f", "empty.yaml").err()).contains("there is no schedule in empty.yaml");
    assertThat(simulate("-f", "list.yaml").code()).isEqualTo(2);
    assertThat(simulate("-f", "nowhere.yaml").err()).contains("nowhere.yaml cannot be read");
  }

  @Test
  void options_that_make_no_sense_are_refused_by_their_names() throws Exception {
    write("one.yaml", "{key: one, target: t, timing: {every: PT6H}}");

    assertThat(simulate("-f", "one.yaml", "--outage", "tomorrow").err())
        .contains("--outage: 'tomorrow' is not FROM/TO");
    assertThat(simulate("-f", "one.yaml", "--outage", "now/now-1h").err())
        .contains("--outage: an outage must end after it begins");
    assertThat(simulate("-f", "one.yaml", "--duration", "long").err()).contains("--duration: ");
    assertThat(simulate("-f", "one.yaml", "--limit", "0").err())
        .contains("--limit: count must be from 1 to 100000; was 0");
    Answer back =
        Answer.in(
            around(InputStream.nullInputStream()),
            "simulate",
            "-f",
            "one.yaml",
            "--from",
            "2027-03-27",
            "--to",
            "2027-03-01");
    assertThat(back.code()).isEqualTo(2);
    assertThat(back.err()).contains("--to: a simulation must end after it begins");
  }

  @Test
  void calendars_and_quiet_hours_in_the_files_count_and_need_no_server() throws Exception {
    write(
        "all.yaml",
        """
        calendars:
          - {name: it, zone: Europe/Rome, holidays: [{date: 2027-03-26, name: Good Friday}]}
          - {name: both, combines: [it]}
        quietHours:
          - {name: night, zone: Europe/Rome, windows: [{hours: "22:00-07:00"}], action: defer}
        schedules:
          - key: back
            target: report
            timing: {cron: "0 9 * * 5,6,0", zone: Europe/Rome}
            calendar: {name: both, roll: preceding}
          - key: late
            target: report
            timing: {cron: "0 23 27 * *", zone: Europe/Rome}
            quietHours: night
          - key: days
            target: report
            timing: {businessDay: -3, time: "23:30", calendar: it}
            deadline: {after: PT1H, calendar: it, escalateTo: page}
        """);

    Answer answer =
        Answer.in(
            around(InputStream.nullInputStream()),
            "simulate",
            "-f",
            "all.yaml",
            "--from",
            "2027-03-24",
            "--to",
            "2027-03-31");

    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .contains("2027-03-26T08:00:00Z  back      succeeded  2027-03-25T08:00:00Z")
        .contains("into the run of 2027-03-26T08:00:00Z, 2 slots until 2027-03-28T07:00:00Z\n")
        .contains("2027-03-27T22:00:00Z  late      succeeded  2027-03-28T05:00:00")
        .contains("2027-03-31T21:30:00Z  days      succeeded  2027-03-29T21:30:00Z");
  }

  @Test
  void a_mistake_in_a_calendar_of_a_file_is_named_too() throws Exception {
    write(
        "all.yaml",
        """
        calendars:
          - name: it
            zone: Europe/Rom
        schedules:
          - {key: one, target: t, timing: {every: PT6H}}
        """);

    assertThat(simulate("-f", "all.yaml").err())
        .startsWith("carillon: nothing was simulated: 1 mistake\n")
        .contains("all.yaml:3 (document 1, zone): ");
  }

  @Test
  void what_is_cut_is_said() throws Exception {
    write("tick.yaml", "{key: tick, target: t, timing: {every: PT1S}}");

    Answer answer = simulate("-f", "tick.yaml", "--limit", "10", "-o", "json");

    assertThat(answer.err())
        .isEqualTo(
            "carillon: warning: tick was cut after 10 runs, at 2027-03-27T00:00:10Z; choose a"
                + " shorter period, or raise --limit\n");
    assertThat(Json.read(answer.out()).at("/schedules/0/cutAt").asText())
        .isEqualTo("2027-03-27T00:00:10Z");
  }

  @Test
  void schedules_come_from_stdin_too() throws Exception {
    byte[] text =
        "{\"key\": \"one\", \"target\": \"t\", \"timing\": {\"in\": \"PT1H\"}}"
            .getBytes(StandardCharsets.UTF_8);

    Answer answer =
        Answer.in(around(new ByteArrayInputStream(text)), words("-f", "-", "-o", "json"));

    assertThat(Json.read(answer.out()).at("/schedules/0/runs/0/slot").asText())
        .isEqualTo("2027-03-27T01:00:00Z");
  }

  @Test
  void a_timeline_is_well_formed_whatever_the_keys_and_what_is_to_come_has_an_outline_only()
      throws Exception {
    String hostile = "</text><script>alert(1)</script>&\"'\uFFFE\uD83D\uDD14";
    write(
        "svg.json",
        Json.write(
            Json.object()
                .put("key", hostile)
                .put("target", "t")
                .set("timing", Json.object().put("every", "PT6H"))));

    Answer answer =
        simulate(
            "-f", "svg.json", "--svg", "line.svg", "--outage", "2027-03-28 01:00/2027-03-28 02:00");

    assertThat(answer).isEqualTo(new Answer(0, "8 runs of 1 schedule are drawn in line.svg\n", ""));
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(folder.resolve("line.svg").toFile());
    assertThat(svg.getElementsByTagName("script").getLength()).isZero();
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("</text><script>alert(1)</script>&\"'\uFFFD\uD83D\uDD14");
    int filled = 0;
    int outlined = 0;
    NodeList bars = svg.getElementsByTagName("rect");
    for (int i = 0; i < bars.getLength(); i++) {
      if (bars.item(i) instanceof Element bar && bar.hasAttribute("rx")) {
        filled += bar.getAttribute("fill").equals("none") ? 0 : 1;
        outlined += bar.getAttribute("fill").equals("none") ? 1 : 0;
      }
    }
    assertThat(filled).isEqualTo(3);
    assertThat(outlined).isEqualTo(5);
  }

  @Test
  void the_last_day_of_a_timeline_is_written_within_the_picture() throws Exception {
    write("one.yaml", "{key: one, target: t, timing: {every: PT6H}}");

    assertThat(simulate("-f", "one.yaml", "--svg", "days.svg").code()).isZero();

    assertThat(Files.readString(folder.resolve("days.svg")))
        .contains("text-anchor=\"middle\" fill=\"#666666\">03-28 18:00</text>")
        .contains("text-anchor=\"end\" fill=\"#666666\">03-29 00:00</text>");
  }

  @Test
  void a_timeline_that_cannot_be_written_is_a_failure() throws Exception {
    write("one.yaml", "{key: one, target: t, timing: {every: PT6H}}");

    Answer answer = simulate("-f", "one.yaml", "--svg", "no/such/folder/line.svg");

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.err()).contains("--svg: no/such/folder/line.svg cannot be written");
  }
}
