package dev.carillon.server.api;

import dev.carillon.model.RunFilter;
import dev.carillon.model.Trigger;
import dev.carillon.server.read.JsonFields;
import java.time.Instant;

/** How runs are chosen in a body: by the names of the query parameters. */
final class RunFilterForm {
  private RunFilterForm() {}

  static RunFilter read(JsonFields fields) {
    RunFilter filter = RunFilter.all();
    filter = fields.set(filter, "schedule", fields.text("schedule"), RunFilter::schedule);
    filter = fields.set(filter, "target", fields.text("target"), RunFilter::target);
    filter =
        fields.set(filter, "trigger", fields.word("trigger", Trigger.class), RunFilter::trigger);
    filter =
        fields.set(
            filter,
            "node",
            fields.text("node").flatMap(id -> fields.tried("node", () -> RunRoutes.uuid(id))),
            RunFilter::node);
    filter = fields.set(filter, "correlation", fields.text("correlation"), RunFilter::correlation);
    filter = fields.set(filter, "q", fields.text("q"), RunFilter::text);
    Instant from = fields.instant("from").orElse(Instant.MIN);
    Instant to = fields.instant("to").orElse(Instant.MAX);
    if (to.isBefore(from)) {
      fields.error("to", "must not be before 'from'");
    }
    return filter.between(from, to);
  }
}
