package dev.carillon.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchCommandTest {
  @Test
  void help_tells_what_is_measured_what_is_good_and_what_exit_codes_mean() {
    var answer = Answer.to("bench", "--help");

    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .startsWith("Usage: carillon bench [drain] [drift] [growth] [OPTIONS]")
        .contains("--database-url", "--runs", "--rate", "--seconds", "--idle", "--quick", "--json")
        .contains("Verdicts:", "90 % of drain", "Examples:", "Exit codes: 0 measured");
    assertThat(answer.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(101));
  }

  @Test
  void a_measure_that_does_not_exist_is_refused_with_the_nearest() {
    assertRefused(
        "carillon: 'drian' is not one of drain, drift, growth; did you mean 'drain'?", "drian");
  }

  @Test
  void sizes_out_of_range_are_refused() {
    assertRefused("carillon: --runs must be from 1 to 10,000,000; was 0", "--runs", "0");
    assertRefused("carillon: --rate must be from 1 to 20,000; was 20,001", "--rate", "20001");
    assertRefused("carillon: --seconds must be from 1 to 600; was 601", "--seconds=601");
    assertRefused("carillon: --idle must be from 1 to 10,000,000; was -1", "--idle=-1");
  }

  @Test
  void more_fires_than_can_be_counted_are_refused() {
    assertRefused(
        "carillon: --rate times --seconds must be at most 4,000,000 fires; was 12,000,000",
        "--rate=20000",
        "--seconds=600");
  }

  @Test
  void what_is_no_number_is_refused() {
    assertRefused(
        "carillon: Invalid value for option '--runs': 'many' is not an int. See 'carillon bench"
            + " --help'.",
        "--runs",
        "many");
  }

  @Test
  void a_bad_url_is_refused_without_showing_it() {
    var answer = Answer.to("bench", "--database-url", "mysql://ann:secret@db/x");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err())
        .startsWith("carillon: --database-url: the database URL must look like postgresql://")
        .doesNotContain("secret");
  }

  @Test
  void a_folder_beside_a_database_is_refused() {
    assertRefused(
        "carillon: --data and --database-url exclude each other: the folder is for the embedded"
            + " PostgreSQL; drop one",
        "--data=d",
        "--database-url=postgresql://db/x");
  }

  @Test
  void quick_leaves_alone_what_was_said() {
    assertThat(request(Map.of("runs", 7), true).effort())
        .isEqualTo(new Effort(7, Effort.QUICK.rate(), Effort.QUICK.seconds(), Effort.QUICK.idle()));
    assertThat(request(Map.of(), false).effort()).isEqualTo(Effort.FULL);
  }

  private static BenchRequest request(Map<String, Integer> sizes, boolean quick) {
    return new BenchRequest(List.of(), Map.of(), sizes, quick, false);
  }

  private static void assertRefused(String complaint, String... arguments) {
    var words = new String[arguments.length + 1];
    words[0] = "bench";
    System.arraycopy(arguments, 0, words, 1, arguments.length);

    assertThat(Answer.to(words)).isEqualTo(new Answer(2, "", complaint + System.lineSeparator()));
  }
}
