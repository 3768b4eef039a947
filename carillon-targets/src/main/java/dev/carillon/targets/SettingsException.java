package dev.carillon.targets;

import java.util.List;
import java.util.stream.Collectors;

/** Settings of a target that cannot be used; names every fault and where it is. */
public final class SettingsException extends IllegalArgumentException {
  private final transient List<Fault> faults;

  /**
   * What is wrong with one setting.
   *
   * @param pointer where it is, as a JSON pointer such as {@code /headers/Host}
   * @param message what is wrong and how to mend it, without secrets
   */
  public record Fault(String pointer, String message) {}

  SettingsException(List<Fault> faults) {
    super(
        faults.stream()
            .map(fault -> fault.pointer() + ": " + fault.message())
            .collect(Collectors.joining("; ")));
    this.faults = List.copyOf(faults);
  }

  /** Return what is wrong, in the order of the settings. */
  public List<Fault> faults() {
    return faults;
  }
}
