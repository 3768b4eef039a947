package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.FreezeDraft;
import dev.carillon.QuietHoursPolicies;
import dev.carillon.definition.FieldLimits;
import dev.carillon.model.FreezeResult;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.business.QuietAction;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Freezes and thaws schedules: all of them, or those with some tags. */
record FreezeRoutes(Carillon carillon) {
  private static final int MAX_TAGS = 50;
  private static final int MAX_REASON = 500;

  List<Route> routes() {
    return List.of(
        Route.post(Api.ROOT + "/freeze", Role.OPERATOR, "freeze")
            .reach(Reach.NOTHING)
            .summary("Let nothing start until an instant, or nothing with some tags")
            .query(CalendarRoutes.DRY_RUN)
            .takes("FreezeRequest")
            .answers(200, "Frozen", request -> in(request).freeze(request)),
        Route.post(Api.ROOT + "/thaw", Role.OPERATOR, "thaw")
            .reach(Reach.NOTHING)
            .summary("End the freeze of everything now, or those of some tags")
            .query(CalendarRoutes.DRY_RUN)
            .mayTake("ThawRequest")
            .answers(200, "Thawed", request -> in(request).thaw(request)));
  }

  private FreezeRoutes in(Request request) {
    return new FreezeRoutes(Api.in(request, carillon));
  }

  private QuietHoursPolicies quietHours(Request request) {
    return carillon.quietHours().as(request.caller().name());
  }

  Reply freeze(Request request) {
    boolean dryRun = dryRun(request);
    JsonFields fields = JsonFields.of(request);
    fields.require("until", "say when it ends, such as 2026-12-24T18:00:00Z");
    Optional<Instant> until = fields.instant("until");
    Optional<String> reason =
        fields.needed("reason", "say why: it is shown wherever a run is missing", MAX_REASON);
    Optional<Instant> from = fields.instant("from");
    List<String> tags = fields.texts("tags", MAX_TAGS).orElse(List.of());
    Optional<QuietAction> action = fields.word("action", QuietAction.class);
    fields.done();
    QuietHoursPolicies quietHours = quietHours(request);
    FreezeResult result =
        fields.doing(
            "until",
            () -> {
              var draft =
                  new FreezeDraft(
                      from,
                      until.orElseThrow(),
                      reason.orElseThrow(),
                      fields.doing("tags", () -> FieldLimits.tags(tags)),
                      action);
              return dryRun ? quietHours.freezeDryRun(draft) : quietHours.freeze(draft);
            });
    return answered("frozen", result, dryRun, view -> {});
  }

  private static boolean dryRun(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
    parameters.done();
    return dryRun;
  }

  private static Reply answered(
      String what,
      FreezeResult result,
      boolean dryRun,
      Consumer<Map<String, @Nullable Object>> more) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("dryRun", dryRun);
    view.put(what, result.quietHours().stream().map(QuietHoursView::whole).toList());
    more.accept(view);
    RuleChangeView.add(view, result.shift(), result.replan());
    return Reply.ok(view);
  }

  Reply thaw(Request request) {
    boolean dryRun = dryRun(request);
    JsonFields fields = JsonFields.ofAny(request);
    List<String> tags = fields.texts("tags", MAX_TAGS).orElse(List.of());
    fields.done();
    QuietHoursPolicies quietHours = quietHours(request);
    FreezeResult result =
        fields.doing("tags", () -> dryRun ? quietHours.thawDryRun(tags) : quietHours.thaw(tags));
    Set<String> thawed =
        result.quietHours().stream().map(QuietHoursVersion::name).collect(Collectors.toSet());
    return answered(
        "thawed",
        result,
        dryRun,
        view ->
            view.put(
                "stillFrozen",
                quietHours.frozen().stream()
                    .filter(one -> !thawed.contains(one.name()))
                    .map(QuietHoursView::whole)
                    .toList()));
  }
}
