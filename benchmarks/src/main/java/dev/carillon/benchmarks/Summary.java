package dev.carillon.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All promises of the page in one table, gathered from its sections. */
public final class Summary {
  private static final String NAME = "summary";
  private static final Pattern SECTION =
      Pattern.compile("<!-- (\\w+):begin -->\n(.*?)\n<!-- \\1:end -->", Pattern.DOTALL);
  private static final Pattern SETTING =
      Pattern.compile("^Measured (\\S+(?: at \\S+)?) with ", Pattern.MULTILINE);

  private Summary() {}

  /** Write the table into the page that is the first argument. */
  public static void main(String[] args) throws IOException {
    Path page = Path.of(args[0]);
    Section.called(NAME).write(of(Files.readString(page)), page);
  }

  static String of(String page) {
    var lines =
        new ArrayList<>(
            List.of(
                "| suite | figure | promised | measured | figures behind it | |",
                "|---|---|---|---|---|---|"));
    var measured = new ArrayList<String>();
    var uncommitted = new ArrayList<String>();
    var missing = new ArrayList<String>();
    for (MatchResult section : SECTION.matcher(page).results().toList()) {
      String name = section.group(1);
      String text = section.group(2);
      if (name.equals(NAME)) {
        continue;
      }
      var setting = SETTING.matcher(text);
      if (setting.find()) {
        String when = setting.group(1);
        (when.endsWith("-dirty") ? uncommitted : measured).add(name + " " + when);
        lines.addAll(rows(name, text));
      } else {
        missing.add(name);
      }
    }
    lines.add("");
    lines.add("Measured: " + list(measured) + ".");
    if (!uncommitted.isEmpty()) {
      lines.add(
          "Measured with changes that were not committed, so to be measured again: "
              + list(uncommitted)
              + ".");
    }
    lines.add("Not measured yet: " + list(missing) + ".");
    return String.join("\n", lines);
  }

  private static List<String> rows(String name, String text) {
    return Promise.in(text)
        .map(
            promise ->
                "| %s | %s | %s | %s | %s | %s |"
                    .formatted(
                        name,
                        promise.figure(),
                        promise.promised(),
                        promise.measured(),
                        promise.note(),
                        promise.verdict()))
        .toList();
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "nothing" : names.stream().collect(Collectors.joining(", "));
  }
}
