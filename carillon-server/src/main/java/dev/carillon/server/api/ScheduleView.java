package dev.carillon.server.api;

import dev.carillon.json.AsciiText;
import dev.carillon.model.Pause;
import dev.carillon.model.RecentRun;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.server.read.ContractText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How clients see schedules: the definition, and what has become of it. */
public final class ScheduleView {
  private ScheduleView() {}

  static Map<String, @Nullable Object> of(Schedule schedule) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("key", schedule.key());
    view.put("version", schedule.version());
    view.put("status", StatusText.of(schedule));
    view.put("pauseReason", schedule.pause().map(Pause::reason).orElse(null));
    view.put("pausedUntil", RunView.written(schedule.pause().flatMap(Pause::until)));
    view.put("comingPause", schedule.plannedPause().map(ScheduleView::of).orElse(null));
    view.putAll(DefinitionView.of(schedule.definition()));
    view.put("timingText", schedule.definition().timing().describe());
    view.put("createdAt", ContractText.of(schedule.created().at()));
    view.put("createdBy", schedule.created().by());
    view.put("updatedAt", ContractText.of(schedule.updated().at()));
    view.put("updatedBy", schedule.updated().by());
    return view;
  }

  private static Map<String, @Nullable Object> of(Pause pause) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("from", RunView.written(pause.from()));
    view.put("until", RunView.written(pause.until()));
    view.put("reason", pause.reason());
    return view;
  }

  /** Return a schedule of a list, with its next slots and the last of its runs. */
  static Map<String, @Nullable Object> listed(
      Schedule schedule, List<UpcomingSlot> next, List<RecentRun> recent) {
    Map<String, @Nullable Object> view = of(schedule);
    view.put("next", instants(next, UpcomingSlot::slot));
    view.put("nextDue", instants(next, UpcomingSlot::dueAt));
    view.put("lastRun", recent.stream().findFirst().map(RunView::of).orElse(null));
    return view;
  }

  static Map<String, @Nullable Object> whole(
      Schedule schedule, List<UpcomingSlot> next, List<RecentRun> recent) {
    Map<String, @Nullable Object> view = listed(schedule, next, recent);
    view.put("recent", recent.stream().map(RunView::of).toList());
    return view;
  }

  private static List<String> instants(
      List<UpcomingSlot> next, Function<UpcomingSlot, Instant> which) {
    return next.stream().map(which).map(ContractText::of).toList();
  }

  static Map<String, @Nullable Object> of(String key, ScheduleVersion version) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("key", key);
    view.put("version", version.version());
    view.putAll(DefinitionView.of(version.definition()));
    view.put("createdAt", ContractText.of(version.created().at()));
    view.put("createdBy", version.created().by());
    view.put("supersedes", version.supersedes().orElse(null));
    view.put("retiredAt", RunView.written(version.retiredAt()));
    return view;
  }

  /** Return the text by which an edit says which version it changes. */
  public static String etag(Schedule schedule) {
    return "\"" + schedule.version() + "\"";
  }

  /** Return the version that an {@code If-Match} header names; empty for any. */
  static OptionalLong version(String etag) {
    return AsciiText.number(etag.strip().replace("\"", ""), 9);
  }
}
