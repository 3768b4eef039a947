package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.Page;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Pages of schedules, runs and audit lines. */
final class Finding {
  private Finding() {}

  static Page<Schedule> schedules(
      Carillon carillon, ScheduleFilter filter, Optional<String> after, int limit) {
    ScheduleFilter from = after.map(Finding::read).map(filter::after).orElse(filter);
    return page(
        carillon.schedules().list(from.limit(Math.min(limit + 1, 500))), limit, Schedule::key);
  }

  static Page<Run> runs(Carillon carillon, RunFilter filter, Optional<String> after, int limit) {
    RunFilter from = after.map(Finding::run).map(filter::after).orElse(filter);
    return page(
        carillon.runs().list(from.limit(Math.min(limit + 1, 500))),
        limit,
        run -> run.id().toString());
  }

  static Page<Run> deadLetters(
      Carillon carillon, RunFilter filter, Optional<String> after, int limit) {
    return runs(carillon, filter.state(RunState.FAILED), after, limit);
  }

  static Page<AuditEntry> audit(
      Carillon carillon, AuditFilter filter, Optional<String> after, int limit) {
    AuditFilter from = after.map(Finding::number).map(filter::before).orElse(filter);
    return page(
        carillon.schedules().audit(from, limit + 1), limit, line -> String.valueOf(line.id()));
  }

  private static <T> Page<T> page(List<T> found, int limit, Function<T, String> mark) {
    List<T> items = found.subList(0, Math.min(limit, found.size()));
    boolean more = found.size() > limit || (limit == 500 && found.size() == limit);
    return new Page<>(
        items,
        more ? Optional.of(written(mark.apply(items.get(items.size() - 1)))) : Optional.empty());
  }

  private static RunId run(String cursor) {
    return RunId.parse(read(cursor)).orElseThrow(Finding::noCursor);
  }

  private static long number(String cursor) {
    String digits = read(cursor);
    if (!digits.matches("\\d{1,18}")) {
      throw noCursor();
    }
    return Long.parseLong(digits);
  }

  private static String written(String mark) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(mark.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw noCursor();
    }
  }

  private static IllegalArgumentException noCursor() {
    return new IllegalArgumentException("this is no cursor; send nextCursor as it was received");
  }
}
