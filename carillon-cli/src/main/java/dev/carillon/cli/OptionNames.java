package dev.carillon.cli;

import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.remote.RefusedException;
import dev.carillon.cli.remote.RefusedException.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * Says what a server refused in the words of the command: its options, not fields and methods.
 *
 * @param known the options of the command
 */
record OptionNames(Set<String> known) {
  private static final Map<String, String> OTHERS =
      Map.of(
          "catchUp", "--catch-up",
          "tags", "--tag",
          "q", "--query",
          "expiresIn", "--expires",
          "roles", "--role",
          "headers", "--header",
          "secrets", "--secret");

  /* In these, names are those of the user. */
  private static final Pattern IN_JSON = Pattern.compile("/(payload|body)(/.+)");

  static OptionNames of(CommandLine command) {
    return new OptionNames(command.getCommandSpec().optionsMap().keySet());
  }

  /**
   * Return the problem on the first line, then a line for each field. An option may set several
   * fields, all wrong in the same way: that is one mistake.
   */
  String text(RefusedException refused) {
    String said = String.valueOf(refused.getMessage());
    List<String> faults = refused.faults().stream().map(this::text).distinct().toList();
    boolean repeats = said.startsWith(refused.faults().size() + " things are wrong");
    if (faults.size() == 1 && (repeats || said.startsWith(refused.faults().get(0).message()))) {
      return faults.get(0);
    }
    return said.replaceFirst("; see errors\\.$", "")
        + faults.stream().map(fault -> "\n  " + fault).collect(Collectors.joining());
  }

  private String text(Fault fault) {
    return fault.pointer().isEmpty()
        ? fault.message()
        : name(fault.pointer()) + ": " + fault.message();
  }

  /** Return the option that sets what is at {@code pointer}; if there is none, where that is. */
  String name(String pointer) {
    Matcher inJson = IN_JSON.matcher(pointer);
    if (inJson.matches() && known.contains("--" + inJson.group(1))) {
      return "--%s (%s)".formatted(inJson.group(1), HumanText.path(inJson.group(2)));
    }
    List<String> names = new ArrayList<>(List.of(pointer.replaceFirst("^/", "").split("/")));
    names.removeIf(name -> name.matches("[0-9]*"));
    Collections.reverse(names); // the innermost first: it says more
    for (String name : names) {
      String option = OTHERS.getOrDefault(name, "--" + kebab(name));
      if (known.contains(option)) {
        return option;
      }
    }
    return HumanText.path(pointer);
  }

  private static String kebab(String name) {
    return HumanText.label(name).replace(' ', '-').toLowerCase(Locale.ROOT);
  }
}
