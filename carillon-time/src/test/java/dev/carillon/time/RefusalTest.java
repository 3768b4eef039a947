package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not the dialect, and whether the message points at it. */
class RefusalTest {
  private static final ZoneId UTC = ZoneId.of("UTC");

  /** An expression in which the offending text stands between square brackets. */
  static List<String> offences() {
    return List.of(
        // numbers out of range
        "[60] * * * *",
        "[60] * * * * *",
        "0 [60] * * * *",
        "0 [24] * * *",
        "0 0 [0] * *",
        "0 0 [32] * *",
        "0 0 1 [0] *",
        "0 0 1 [13] *",
        "0 0 * * [8]",
        "0 0 0 1 1 * [1969]",
        "0 0 0 1 1 * [2200]",
        "[99999999999] * * * *",
        "5,[77] * * * *",
        "10-[60] * * * *",
        "0 20-[24] * * *",
        // not numbers
        "[-1] * * * *",
        "[1.5] * * * *",
        "[0x10] * * * *",
        "[1e1] * * * *",
        "[five] * * * *",
        "[5m] * * * *",
        "[12:30] * * * *",
        "[*5] * * * *",
        "[5*] * * * *",
        "[**] * * * *",
        "[%] * * * *",
        // lists
        "[5,] * * * *",
        "[,5] * * * *",
        "[1,,2] * * * *",
        "[,] * * * *",
        // ranges
        "[1--3] * * * *",
        "[1-] * * * *",
        "[-] * * * *",
        "[1-5-7] * * * *",
        "[*-5] * * * *",
        "[1-*] * * * *",
        "0 [22-2] * * *",
        "[30-10] * * * *",
        "0 0 [25-5] * *",
        "0 0 1 [11-2] *",
        "0 0 1 [NOV-FEB] *",
        "0 0 * * [FRI-MON]",
        "0 0 * * [5-1]",
        "0 0 * * [7-2]",
        "0 0 0 1 1 * [2030-2020]",
        // steps
        "[/15] * * * *",
        "[*/0] * * * *",
        "[*/00] * * * *",
        "[*/60] * * * *",
        "[*/61] * * * *",
        "[*/] * * * *",
        "[*/-1] * * * *",
        "[*/*] * * * *",
        "[*/1.5] * * * *",
        "[1/2/3] * * * *",
        "[5/0] * * * *",
        "[0-30/60] * * * *",
        "0 [*/24] * * *",
        "0 0 [*/32] * *",
        "0 0 [*/40] * *",
        "0 0 1 [*/13] *",
        "0 0 * * [*/8]",
        "0 0 0 1 1 * [*/2200]",
        "0 0 * * [*/MON]",
        // names
        "0 0 1 [january] *",
        "0 0 1 [JANU] *",
        "0 0 1 [JA] *",
        "0 0 1 [MON] *",
        "0 0 * * [JAN]",
        "0 0 * * [monday]",
        "0 0 * * [SU]",
        "0 0 * * [FRY]",
        "0 0 [MON] * *",
        "[MON] 0 * * *",
        "0 0 0 1 1 * [JAN]",
        // days of the month
        "0 0 [L-31] * *",
        "0 0 [L-0] * *",
        "0 0 [L-0W] * *",
        "0 0 [L-31W] * *",
        "0 0 [L-] * *",
        "0 0 [L-L] * *",
        "0 0 [L3] * *",
        "0 0 [l] * *",
        "0 0 [lw] * *",
        "0 0 [Lw] * *",
        "0 0 [l-3] * *",
        "0 0 [WL] * *",
        "0 0 [W] * *",
        "0 0 [15w] * *",
        "0 0 [0W] * *",
        "0 0 [32W] * *",
        "0 0 [W15] * *",
        "0 0 [*W] * *",
        "0 0 [1-5W] * *",
        "0 0 [1-L] * *",
        "0 0 [L/2] * *",
        "0 0 [15W/2] * *",
        "0 0 [L-3/2] * *",
        "0 0 [5L] * *",
        "0 0 [2#1] * *",
        "0 0 1,15,[l] * *",
        "[L] 0 * * *",
        "0 [L] * * *",
        "0 0 1 [L] *",
        "0 [15W] * * *",
        // days of the week
        "0 0 * * [L]",
        "0 0 * * [MON#6]",
        "0 0 * * [MON#0]",
        "0 0 * * [1#0]",
        "0 0 * * [1#6]",
        "0 0 * * [8#1]",
        "0 0 * * [8L]",
        "0 0 * * [MON#]",
        "0 0 * * [#2]",
        "0 0 * * [#L]",
        "0 0 * * [MON#l]",
        "0 0 * * [monl]",
        "0 0 * * [MON#1#2]",
        "0 0 * * [MON#1-2]",
        "0 0 * * [MON#1/2]",
        "0 0 * * [MON-FRI#2]",
        "0 0 * * [MON-FRIL]",
        "0 0 * * [1-5L]",
        "0 0 * * [15W]",
        "0 0 * * [*L]",
        "0 0 * * [LW]",
        "0 0 * * [L-3]",
        // ? and +
        "[?] * * * *",
        "0 [?] * * *",
        "0 0 1 [?] *",
        "0 0 0 1 1 * [?]",
        "0 0 [+1] * *",
        "[+5] * * * *",
        "0 0 * * [MON,+TUE]",
        "0 0 * * [++MON]",
        "0 0 * * [+]",
        // H and ~
        "[0~30] * * * *",
        "[~] * * * *",
        "[h] * * * *",
        "[H(5)] * * * *",
        "[H()] * * * *",
        "[H(10-5)] * * * *",
        "[H(0-60)] * * * *",
        "[H(0-10] * * * *",
        "[H0-10)] * * * *",
        "[H/0] * * * *",
        "[H/60] * * * *",
        "[H-5] * * * *",
        "[5H] * * * *",
        "0 0 [H(0-5)] * *",
        "0 0 0 1 1 * [H]",
        // other alphabets
        "[１] * * * *",
        "0 0 * * [FRİ]",
        "0 0 * * [frı]",
        "0 0 1 [ſep] *",
        "[٣] * * * *",
        // six fields with a year
        "0 0 12 * * [2026]",
        "0 0 12 * * [2026-2030]",
        // macros
        "[@reboot]",
        "[@DAILY]",
        "[@Daily]",
        "[@weekday]",
        "[@]",
        "[@every_minute]");
  }

  @ParameterizedTest
  @MethodSource("offences")
  void the_caret_stands_under_the_offending_text(String marked) {
    int start = marked.indexOf('[');
    int end = marked.indexOf(']') - 1;
    String expression = marked.replace("[", "").replace("]", "");

    CronSyntaxException refusal = refusal(expression);
    List<String> lines = String.valueOf(refusal.getMessage()).lines().toList();

    assertThat(lines).hasSizeGreaterThanOrEqualTo(4);
    assertThat(lines.get(0)).isEqualTo(refusal.problem()).isNotBlank();
    assertThat(lines.get(1)).isEqualTo("  " + expression.replaceAll("[^ -~]", "?"));
    assertThat(lines.get(2)).matches("  +\\^+");
    assertThat(lines.get(2).indexOf('^') - 2).as("caret").isBetween(start, end - 1);
    assertThat(lines.get(2).length() - 2).as("end of the caret").isLessThanOrEqualTo(end);
    assertThat(refusal.position()).isEqualTo(lines.get(2).indexOf('^') - 2);
    assertThat(lines.get(3)).isNotBlank();
    assertThat(refusal.hint()).isNotBlank();
    assertThat(refusal.expression()).isEqualTo(expression);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\t",
        "*",
        "* * * *",
        "* * * * * * * *",
        "0 0\n* * *",
        "0\u00a00 * * *",
        "0\u00000 * * *",
        "0 0 12 * * * 2026 *",
        "@daily @daily",
        "@daily 5",
        "@ daily",
        "0 0 @daily",
        "0 0 * * MON FRI",
        "0, 30 * * * *"
      })
  void an_expression_of_another_shape_is_refused(String expression) {
    assertThat(refusal(expression).hint()).isNotBlank();
  }

  @Test
  void expressions_are_limited_to_256_characters() {
    String longest = "00" + ",5".repeat(123) + " 0 * * *";

    assertThat(Cron.parse(longest, UTC).expression()).isEqualTo(longest);
    assertThat(refusal("0" + longest).hint()).contains("256");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 22-2 * * *    | 22-23,0-2",
        "30-10 * * * *   | 30-59,0-10",
        "0 0 25-5 * *    | 25-31,1-5",
        "0 0 1 11-2 *    | 11-12,1-2",
        "0 0 1 NOV-FEB * | NOV-DEC,JAN-FEB",
        "0 0 * * FRI-MON | FRI-SAT,SUN-MON",
        "0 0 12 * * 2026 | 0 0 0 12 * * 2026",
        "0 0 1 january * | JAN",
        "0 0 * * monday  | SUN to SAT",
        "0 0 15w * *     | 15W",
        "0 0 l * *       | L",
        "/15 * * * *     | */15",
        "0~30 * * * *    | H",
        "0 0 * * L       | L",
        "@DAILY          | @daily"
      })
  void the_hint_shows_what_would_be_right(String expression, String right) {
    assertThat(refusal(expression).hint()).contains(right);
  }

  @Test
  void reboot_is_refused_by_name() {
    assertThatThrownBy(() -> Cron.parse("@reboot", UTC)).hasMessageContaining("@reboot");
  }

  private static CronSyntaxException refusal(String expression) {
    CronSyntaxException refusal =
        catchThrowableOfType(CronSyntaxException.class, () -> Cron.parse(expression, UTC));
    assertThat(refusal).as("refusal of %s", expression).isNotNull();
    return refusal;
  }
}
