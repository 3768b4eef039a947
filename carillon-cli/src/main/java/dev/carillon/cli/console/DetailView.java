package dev.carillon.cli.console;

import java.util.ArrayList;
import java.util.List;

/** One thing shown to people: a line for each fact, the names in a column. */
public final class DetailView {
  private record Fact(String name, List<String> lines) {}

  private final List<Fact> facts = new ArrayList<>();

  /** Add a fact, unless there is nothing to tell. */
  public DetailView add(String name, String value) {
    return add(name, value.isEmpty() ? List.of() : List.of(value));
  }

  /** Add a fact that takes several lines, unless there is none. */
  public DetailView add(String name, List<String> lines) {
    if (!lines.isEmpty()) {
      facts.add(new Fact(name, lines));
    }
    return this;
  }

  /** Print the facts in the order in which they were added. */
  public void print(Output output) {
    int width = facts.stream().mapToInt(fact -> fact.name.length()).max().orElse(0);
    for (Fact fact : facts) {
      String name = fact.name;
      for (String line : fact.lines) {
        output.line("  %s  %s".formatted(TerminalText.pad(name, width), line));
        name = "";
      }
    }
  }
}
