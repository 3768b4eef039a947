package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.FreezeResult;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.SaveResult;
import dev.carillon.store.calendar.QuietHoursChanges;
import dev.carillon.store.calendar.QuietHoursStore;
import dev.carillon.store.calendar.RuleEffect;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Freezes and thaws schedules. A freeze is part of quiet hours with a reserved name: {@code freeze}
 * is for everything, {@code freeze:reports} for schedules with the tag {@code reports}.
 */
final class Freezes {
  private static final String EVERYTHING = "freeze";
  private static final String OF_TAG = "freeze:";
  private static final QuietAction DEFAULT_ACTION = QuietAction.COALESCE;

  /* Those that are over say why something was missing; their versions keep all of them. */
  private static final int MAX_PAST = 500;

  private final Transaction tx;
  private final RuleEffect effect;
  private final ChangedBy by;

  Freezes(Transaction tx, RuleEffect effect, ChangedBy by) {
    this.tx = tx;
    this.effect = effect;
    this.by = by;
  }

  static boolean isReserved(String name) {
    return name.equals(EVERYTHING) || name.startsWith(OF_TAG);
  }

  static List<QuietHoursVersion> frozen(List<QuietHoursVersion> all, Instant now) {
    return all.stream()
        .filter(one -> isReserved(one.name()))
        .filter(one -> one.definition().hours().freezes().stream().anyMatch(it -> lasts(it, now)))
        .toList();
  }

  private static boolean lasts(Freeze freeze, Instant now) {
    return freeze.until().isAfter(now);
  }

  FreezeResult freeze(FreezeDraft draft) {
    Instant from = FieldLimits.instant("the beginning of a freeze", draft.from().orElse(by.at()));
    Instant until = FieldLimits.instant("the end of a freeze", draft.until());
    if (!until.isAfter(by.at())) {
      throw new InvalidValueException(
          "until", "a freeze ends in the future; was " + until + ", and now is " + by.at());
    }
    checked("reason", () -> new Freeze(by.at(), by.at().plusSeconds(1), draft.reason()));
    Freeze freeze = checked("until", () -> new Freeze(from, until, draft.reason()));
    SortedMap<String, List<String>> names = locked(draft.tags());
    return FreezeResult.of(
        names.entrySet().stream()
            .map(named -> freeze(named.getKey(), named.getValue(), freeze, draft))
            .toList());
  }

  private static Freeze checked(String field, Supplier<Freeze> work) {
    try {
      return work.get();
    } catch (InvalidValueException e) {
      throw new InvalidValueException(field, String.valueOf(e.getMessage()));
    }
  }

  private SaveResult<QuietHoursVersion> freeze(
      String name, List<String> tags, Freeze freeze, FreezeDraft draft) {
    Optional<QuietHours> before = hours(name);
    List<Freeze> known = before.map(QuietHours::freezes).orElse(List.of());
    QuietAction action = draft.action().orElse(DEFAULT_ACTION);
    boolean same =
        before.filter(hours -> hours.action() == action).isPresent()
            && known.stream().anyMatch(it -> isSame(it, freeze, draft.from().isPresent()));
    var freezes = new ArrayList<>(known);
    if (!same) {
      freezes.add(freeze);
    }
    return save(
        name,
        tags,
        action,
        freezes,
        "quiet_hours.frozen",
        Map.of("until", freeze.until().toString()),
        draft.reason());
  }

  /* One that began when it was asked for before is the same when it is asked for again. */
  private boolean isSame(Freeze known, Freeze wanted, boolean exactly) {
    boolean begins =
        exactly ? known.from().equals(wanted.from()) : !known.from().isAfter(wanted.from());
    return begins && known.until().equals(wanted.until()) && known.reason().equals(wanted.reason());
  }

  FreezeResult thaw(Collection<String> tags) {
    var thawed = new ArrayList<SaveResult<QuietHoursVersion>>();
    locked(FieldLimits.tags(List.copyOf(tags)))
        .forEach((name, itsTags) -> thaw(name, itsTags).ifPresent(thawed::add));
    return FreezeResult.of(thawed);
  }

  private Optional<SaveResult<QuietHoursVersion>> thaw(String name, List<String> tags) {
    Optional<QuietHours> before = hours(name);
    List<Freeze> known = before.map(QuietHours::freezes).orElse(List.of());
    if (known.stream().noneMatch(freeze -> lasts(freeze, by.at()))) {
      return Optional.empty();
    }
    List<Freeze> left = known.stream().flatMap(freeze -> ended(freeze).stream()).toList();
    return before.map(
        hours -> save(name, tags, hours.action(), left, "quiet_hours.thawed", Map.of(), ""));
  }

  private Optional<Freeze> ended(Freeze freeze) {
    if (!lasts(freeze, by.at())) {
      return Optional.of(freeze);
    }
    return freeze.from().isBefore(by.at())
        ? Optional.of(new Freeze(freeze.from(), by.at(), freeze.reason()))
        : Optional.empty();
  }

  private Optional<QuietHours> hours(String name) {
    return QuietHoursStore.find(tx, name).map(found -> found.definition().hours());
  }

  private SaveResult<QuietHoursVersion> save(
      String name,
      List<String> tags,
      QuietAction action,
      List<Freeze> freezes,
      String audited,
      Map<String, ?> details,
      String reason) {
    var hours = new QuietHours(name, Zones.of("UTC"), List.of(), kept(freezes), action);
    var definition = new QuietHoursDefinition(hours, tags, tags.isEmpty(), "");
    return new QuietHoursChanges(tx, effect)
        .save(definition, Optional.empty(), audited, details, reason, by)
        .orElseThrow();
  }

  private List<Freeze> kept(List<Freeze> freezes) {
    List<Freeze> past = freezes.stream().filter(freeze -> !lasts(freeze, by.at())).toList();
    return past.size() <= MAX_PAST
        ? freezes
        : freezes.stream()
            .filter(freeze -> !past.subList(0, past.size() - MAX_PAST).contains(freeze))
            .toList();
  }

  /* The names of the quiet hours, each with its tags. All are locked before the first is changed:
   * whoever changes one waits for the rest of its transaction. */
  private SortedMap<String, List<String>> locked(List<String> tags) {
    var names = new TreeMap<String, List<String>>();
    if (tags.isEmpty()) {
      names.put(EVERYTHING, List.of());
    }
    tags.forEach(tag -> names.put(OF_TAG + tag, List.of(tag)));
    names.keySet().forEach(new QuietHoursChanges(tx, effect)::lock);
    return names;
  }
}
