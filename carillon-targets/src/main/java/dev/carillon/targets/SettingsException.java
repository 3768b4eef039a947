package dev.carillon.targets;

import java.util.List;
import java.util.stream.Collectors;

/** Signals invalid settings of a target; lists every fault with its place. */
public final class SettingsException extends IllegalArgumentException {
  private final transient List<Fault> faults;

  /**
   * One invalid setting.
   *
   * @param pointer its place, as a JSON pointer such as {@code /headers/Host}
   * @param message what is wrong and how to fix it, without secrets
   */
  public record Fault(String pointer, String message) {}

  public SettingsException(List<Fault> faults) {
    super(
        faults.stream()
            .map(fault -> fault.pointer() + ": " + fault.message())
            .collect(Collectors.joining("; ")));
    this.faults = List.copyOf(faults);
  }

  /** Return the faults in the order of the settings. */
  public List<Fault> faults() {
    return faults;
  }
}
