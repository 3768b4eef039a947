package dev.carillon.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All promises of the page in one table, gathered from what its sections say at the moment. */
public final class Summary {
  private static final String NAME = "glance";
  private static final Pattern SECTION =
      Pattern.compile("<!-- (\\w+):begin -->\n(.*?)\n<!-- \\1:end -->", Pattern.DOTALL);
  /* "- the promise: met (what was found, against the peers' figures)" */
  private static final Pattern VERDICT =
      Pattern.compile("^- (.+): (met|MISSED) \\((.+?)(?:,? against (.+))?\\)$", Pattern.MULTILINE);
  private static final Pattern DATE = Pattern.compile("^Measured (\\S+)", Pattern.MULTILINE);

  private Summary() {}

  /** Write the table into the page that is the first argument. */
  public static void main(String[] args) throws IOException {
    Path page = Path.of(args[0]);
    Section.called(NAME).write(of(Files.readString(page)), page);
  }

  static String of(String page) {
    var lines =
        new ArrayList<>(List.of("| | promise | Carillon | peers | |", "|---|---|---|---|---|"));
    var measured = new ArrayList<String>();
    var missing = new ArrayList<String>();
    for (MatchResult section : SECTION.matcher(page).results().toList()) {
      String name = section.group(1);
      String text = section.group(2);
      if (name.equals(NAME)) {
        continue;
      }
      var date = DATE.matcher(text);
      if (date.find()) {
        measured.add(name + " " + date.group(1));
        lines.addAll(rows(name, text));
      } else {
        missing.add(name);
      }
    }
    lines.add("");
    lines.add("Measured: %s. Not measured yet: %s.".formatted(list(measured), list(missing)));
    return String.join("\n", lines);
  }

  private static List<String> rows(String name, String text) {
    return VERDICT
        .matcher(text)
        .results()
        .map(
            verdict ->
                "| %s | %s | %s | %s | %s |"
                    .formatted(
                        name,
                        verdict.group(1),
                        verdict.group(3),
                        verdict.group(4) == null ? "" : verdict.group(4),
                        verdict.group(2)))
        .toList();
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "nothing" : names.stream().collect(Collectors.joining(", "));
  }
}
