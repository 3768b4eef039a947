package dev.carillon.server.api;

import dev.carillon.json.RawJson;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.DryRun;
import dev.carillon.model.MovedFire;
import dev.carillon.model.Payload;
import dev.carillon.server.read.ContractText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How clients see what storing a schedule would do. */
final class DryRunView {
  private DryRunView() {}

  static Map<String, @Nullable Object> of(DryRun dryRun) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("dryRun", true);
    view.put(
        "result",
        dryRun.change() == Change.CREATED
            ? "created"
            : dryRun.change() == Change.UNCHANGED ? "unchanged" : "new_version");
    view.put("version", dryRun.version());
    view.put("changedFields", dryRun.changed());
    view.put(
        "changes",
        dryRun
            .before()
            .map(before -> DefinitionView.changes(before, dryRun.after()))
            .orElse(List.of()));
    view.put(
        "warnings",
        dryRun.warnings().stream()
            .map(warning -> Map.of("code", warning.code(), "message", warning.message()))
            .toList());
    view.put("firesGained", dryRun.gained().stream().map(FireRoutes::view).toList());
    view.put("firesLost", dryRun.lost().stream().map(FireRoutes::view).toList());
    view.put("firesMoved", dryRun.moved().stream().map(DryRunView::moved).toList());
    view.put("expandedPayload", dryRun.example().map(Payload::json).map(RawJson::new).orElse(null));
    return view;
  }

  private static Map<String, @Nullable Object> moved(MovedFire fire) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("slot", ContractText.of(fire.slot()));
    view.put("local", ContractText.of(fire.local()));
    view.put("from", ContractText.of(fire.from()));
    view.put("to", ContractText.of(fire.to()));
    return view;
  }
}
