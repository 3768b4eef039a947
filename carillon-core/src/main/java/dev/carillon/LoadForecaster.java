package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.LoadForecast;
import dev.carillon.model.Scope;
import dev.carillon.plan.FireLoad;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.schedule.FireGroupStore;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Tells how many fires the minutes to come have, over all schedules. */
final class LoadForecaster {
  private final Database database;
  private final Scope scope;

  LoadForecaster(Database database, Scope scope) {
    this.database = database;
    this.scope = scope;
  }

  LoadForecast between(Instant from, Instant to, Instant now) {
    Period period = Period.of(from, to, now);
    return database.inTransaction(
        tx -> {
          var load = new FireLoad(period.from, period.to, now);
          var store = new FireGroupStore(tx, scope);
          store.addTo(load, period.from, period.to);
          return load.forecast(store.pausedWithoutEnd());
        });
  }

  /** The time to look at: it begins now at the earliest. */
  private record Period(Instant from, Instant to) {
    static Period of(Instant from, Instant to, Instant now) {
      Instant first = FieldLimits.instant("from", from);
      Instant last = FieldLimits.instant("to", to);
      if (first.isBefore(now.truncatedTo(ChronoUnit.MINUTES))) {
        throw new InvalidValueException(
            "from",
            "a forecast is of fires to come, and '%s' has passed; leave it out to begin now"
                .formatted(from));
      }
      Instant begin = first.isBefore(now) ? now : first;
      if (!last.isAfter(begin)) {
        throw new InvalidValueException(
            "to", "must be after 'from'; was '%s', which is not after '%s'".formatted(to, begin));
      }
      Duration length = Duration.between(begin, last);
      if (length.compareTo(Schedules.MAX_FORECAST) > 0) {
        throw new InvalidValueException(
            "to",
            "a forecast covers at most %s days; '%s' is later than '%s' by more; ask for a part of it"
                .formatted(Schedules.MAX_FORECAST.toDays(), to, begin));
      }
      return new Period(
          begin.truncatedTo(ChronoUnit.MILLIS),
          last.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS));
    }
  }
}
