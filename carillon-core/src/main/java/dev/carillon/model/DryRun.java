package dev.carillon.model;

import dev.carillon.time.Warning;
import java.util.List;
import java.util.Optional;

/**
 * What storing a draft would do.
 *
 * @param change whether the schedule would be created, get a new version, or stay as it is
 * @param version the version it would have
 * @param changed the fields that would differ from its version now, named as in the REST contract
 * @param warnings what is odd about it
 * @param gained the first slots of the next thirty days that would run, and would not as it is
 * @param lost the first slots of the next thirty days that would run as it is, and then would not
 * @param moved the first slots of the next thirty days whose runs would be due at another time
 * @param before how it is defined now, if it is there
 * @param after how it would be defined
 * @param example if its payload is a template, the payload of the next run, as far as it is known
 */
public record DryRun(
    ChangeResult.Change change,
    int version,
    List<String> changed,
    List<Warning> warnings,
    List<SlotOutcome> gained,
    List<SlotOutcome> lost,
    List<MovedFire> moved,
    Optional<Definition> before,
    Definition after,
    Optional<Payload> example) {
  public DryRun {
    changed = List.copyOf(changed);
    warnings = List.copyOf(warnings);
    gained = List.copyOf(gained);
    lost = List.copyOf(lost);
    moved = List.copyOf(moved);
  }
}
