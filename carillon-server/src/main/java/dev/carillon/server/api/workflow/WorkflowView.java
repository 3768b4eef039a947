package dev.carillon.server.api.workflow;

import dev.carillon.json.RawJson;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Workflow;
import dev.carillon.model.WorkflowVersion;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.web.Sha256;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How clients see workflows. */
final class WorkflowView {
  private static final int TAG_LENGTH = 22;

  private WorkflowView() {}

  static Map<String, @Nullable Object> listed(WorkflowVersion workflow) {
    Map<String, @Nullable Object> view = named(workflow.id(), workflow.version());
    stamped(view, workflow.deployed());
    return view;
  }

  static Map<String, @Nullable Object> version(WorkflowVersion workflow) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("version", workflow.version());
    stamped(view, workflow.deployed());
    removed(view, workflow.removed());
    return view;
  }

  static Map<String, @Nullable Object> whole(Workflow workflow) {
    Map<String, @Nullable Object> view = named(workflow.id(), workflow.version());
    stamped(view, workflow.deployed());
    removed(view, workflow.removed());
    view.put("dag", new RawJson(workflow.dag()));
    return view;
  }

  /** Return the ETag of a version: the same only while all that is shown of it is the same. */
  static String etag(Workflow workflow) {
    String all =
        String.join(
            "\n",
            workflow.deployed().by(),
            ContractText.of(workflow.deployed().at()),
            workflow.dag());
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(all));
    return "\"" + text.substring(0, TAG_LENGTH) + "\"";
  }

  static List<Map<String, Object>> changes(List<ChangeResult> schedules) {
    return schedules.stream().map(WorkflowView::change).toList();
  }

  private static Map<String, Object> change(ChangeResult changeResult) {
    var view = new LinkedHashMap<String, Object>();
    view.put("key", changeResult.schedule().key());
    view.put("result", ContractText.word(changeResult.change()));
    return view;
  }

  static Map<String, @Nullable Object> named(String id, int version) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", id);
    view.put("version", version);
    return view;
  }

  static void stamped(Map<String, @Nullable Object> view, ChangedBy deployed) {
    view.put("deployedAt", ContractText.of(deployed.at()));
    view.put("deployedBy", deployed.by());
  }

  private static void removed(Map<String, @Nullable Object> view, Optional<ChangedBy> removed) {
    view.put("removedAt", removed.map(changedBy -> ContractText.of(changedBy.at())).orElse(null));
    view.put("removedBy", removed.map(ChangedBy::by).orElse(null));
  }
}
