package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.FreezeDraft;
import dev.carillon.QuietHoursPolicies;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.business.QuietAction;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Freezes and thaws schedules: all of them, or those with some tags. */
record FreezeRoutes(Carillon carillon) {
  private static final int MAX_TAGS = 50;
  private static final int MAX_REASON = 1_000;

  List<Route> routes() {
    return List.of(
        Route.post(Api.ROOT + "/freeze", Role.OPERATOR, "freeze")
            .reach(Reach.NOTHING)
            .summary("Let nothing start until an instant, or nothing with some tags")
            .takes("FreezeRequest")
            .answers(200, "Frozen", request -> in(request).freeze(request)),
        Route.post(Api.ROOT + "/thaw", Role.OPERATOR, "thaw")
            .reach(Reach.NOTHING)
            .summary("End the freeze of everything now, or those of some tags")
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
    JsonFields fields = JsonFields.of(request);
    fields.require("until", "say when it ends, such as 2026-12-24T18:00:00Z");
    Optional<Instant> until = fields.instant("until");
    Optional<String> reason =
        fields.needed("reason", "say why: it is shown wherever a run is missing", MAX_REASON);
    Optional<Instant> from = fields.instant("from");
    List<String> tags = fields.texts("tags", MAX_TAGS).orElse(List.of());
    Optional<QuietAction> action = fields.word("action", QuietAction.class);
    fields.done();
    return fields.doing(
        "tags",
        () ->
            frozen(
                quietHours(request)
                    .freeze(
                        new FreezeDraft(
                            from, until.orElseThrow(), reason.orElseThrow(), tags, action))));
  }

  private static Reply frozen(List<QuietHoursVersion> frozen) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("frozen", frozen.stream().map(QuietHoursView::whole).toList());
    return Reply.ok(view);
  }

  Reply thaw(Request request) {
    JsonFields fields = JsonFields.ofAny(request);
    List<String> tags = fields.texts("tags", MAX_TAGS).orElse(List.of());
    fields.done();
    QuietHoursPolicies quietHours = quietHours(request);
    List<QuietHoursVersion> thawed = fields.doing("tags", () -> quietHours.thaw(tags));
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("thawed", thawed.stream().map(QuietHoursView::whole).toList());
    view.put("stillFrozen", quietHours.frozen().stream().map(QuietHoursView::whole).toList());
    return Reply.ok(view);
  }
}
