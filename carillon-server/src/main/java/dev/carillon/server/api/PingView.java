package dev.carillon.server.api;

import dev.carillon.definition.JsonStyle;
import dev.carillon.model.Ping;
import dev.carillon.model.PingCheck;
import dev.carillon.policy.PingExpectation;
import dev.carillon.server.read.ContractText;
import dev.carillon.time.Cron;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How checks on work that pings, and pings, are answered. */
final class PingView {
  private PingView() {}

  static Map<String, @Nullable Object> of(PingCheck check) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("key", check.key());
    view.put("status", ContractText.word(check.status()));
    view.put("expect", expect(check.expect()));
    view.put("escalateTo", check.escalateTo().orElse(null));
    view.put("description", check.description());
    view.put("tags", check.tags());
    view.put("lastStart", text(check.lastStart()));
    view.put("lastSuccess", text(check.lastSuccess()));
    view.put("lastFail", text(check.lastFail()));
    view.put("downSince", text(check.toldDownSince()));
    view.put("overdueAt", text(check.overdueAt()));
    view.put("createdAt", ContractText.of(check.created().at()));
    view.put("createdBy", check.created().by());
    view.put("updatedAt", ContractText.of(check.updated().at()));
    view.put("updatedBy", check.updated().by());
    return view;
  }

  static Map<String, @Nullable Object> whole(PingCheck check, List<Ping> pings) {
    Map<String, @Nullable Object> view = of(check);
    view.put("pings", pings.stream().map(PingView::of).toList());
    return view;
  }

  private static Map<String, @Nullable Object> of(Ping ping) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("at", ContractText.of(ping.at()));
    view.put("kind", ContractText.word(ping.kind()));
    view.put("durationMs", ping.duration().map(Duration::toMillis).orElse(null));
    view.put("exitCode", ping.exitCode().orElse(null));
    view.put("output", ping.output().orElse(null));
    return view;
  }

  private static Map<String, @Nullable Object> expect(PingExpectation expect) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("successEvery", expect.successEvery().map(JsonStyle::inDays).orElse(null));
    view.put("cron", expect.cron().map(Cron::expression).orElse(null));
    view.put("zone", expect.cron().map(cron -> cron.zone().getId()).orElse(null));
    view.put("grace", JsonStyle.inDays(expect.grace()));
    return view;
  }

  private static @Nullable String text(Optional<Instant> instant) {
    return instant.map(ContractText::of).orElse(null);
  }
}
