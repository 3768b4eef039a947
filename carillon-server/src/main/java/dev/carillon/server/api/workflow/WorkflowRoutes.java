package dev.carillon.server.api.workflow;

import dev.carillon.Carillon;
import dev.carillon.RefusedDraftException;
import dev.carillon.ScheduleDraft;
import dev.carillon.Workflows;
import dev.carillon.json.AsciiText;
import dev.carillon.json.Json;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Workflow;
import dev.carillon.model.WorkflowVersion;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.NotFound;
import dev.carillon.server.api.PagedLists;
import dev.carillon.server.api.Precondition;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.time.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The {@code /workflows} resource: graphs, and the schedules of their triggers. */
public final class WorkflowRoutes {
  private static final String ALL = Api.ROOT + "/workflows";
  private static final String ONE = ALL + "/{id}";
  private static final String VERSION = ONE + "/versions/{n}";
  private static final int MAX_SIZE = 256 * 1024;
  private static final String CHANGED = "The version is not as If-Match or If-None-Match says.";

  private final Workflows workflows;
  private final WorkflowStore store;
  private final WorkflowForm form;

  public WorkflowRoutes(Carillon carillon, WorkflowStore store, WorkflowForm form) {
    this.workflows =
        carillon.workflows(
            live ->
                List.copyOf(
                    form.read(live.id(), live.version(), Json.readObject(live.dag())).values()));
    this.store = store;
    this.form = form;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.VIEWER, "listWorkflows")
            .reach(Reach.NOTHING)
            .summary("List workflows by id, each in its highest version")
            .paged()
            .answers(200, "WorkflowPage", this::list),
        Route.get(ONE, Role.VIEWER, "getWorkflow")
            .reach(Reach.NOTHING)
            .summary("Get the versions of a workflow")
            .answers(200, "Workflow", this::get),
        Route.delete(ONE, Role.EDITOR, "deleteWorkflow")
            .reach(Reach.NOTHING)
            .summary("Remove all versions of a workflow and retire its schedules")
            .answers(200, "WorkflowRemoval", this::delete),
        Route.get(VERSION, Role.VIEWER, "getWorkflowVersion")
            .reach(Reach.NOTHING)
            .summary("Get a version of a workflow with its graph")
            .answers(200, "WorkflowVersion", this::getVersion),
        Route.put(VERSION, Role.EDITOR, "putWorkflowVersion")
            .reach(Reach.NOTHING)
            .summary("Deploy a version of a workflow and bring its schedules in line")
            .takes("WorkflowDag")
            .answers(200, "WorkflowDeployment")
            .answers(201, "WorkflowDeployment", this::put),
        Route.delete(VERSION, Role.EDITOR, "deleteWorkflowVersion")
            .reach(Reach.NOTHING)
            .summary("Remove a version of a workflow and bring its schedules in line")
            .answers(200, "WorkflowRemoval", this::deleteVersion));
  }

  Reply list(Request request) {
    return PagedLists.reply(
        PagedLists.ask(QueryParameters.of(request), store::page), WorkflowView::listed);
  }

  Reply get(Request request) {
    String id = request.part("id");
    List<WorkflowVersion> versions = store.versions(id);
    if (versions.isEmpty()) {
      throw NotFound.workflow(id);
    }
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", id);
    view.put(
        "version",
        versions.stream()
            .filter(version -> version.removed().isEmpty())
            .findFirst()
            .map(WorkflowVersion::version)
            .orElse(null));
    view.put("versions", versions.stream().map(WorkflowView::version).toList());
    view.put("schedules", store.schedulesUnder(Workflows.prefix(id)));
    return Reply.ok(view);
  }

  Reply getVersion(Request request) {
    String id = request.part("id");
    return number(request)
        .flatMap(version -> store.find(id, version))
        .map(found -> tagged(Reply.ok(WorkflowView.whole(found)), found))
        .orElseThrow(() -> NotFound.workflowVersion(id));
  }

  Reply put(Request request) {
    String id = request.part("id");
    int version =
        number(request)
            .orElseThrow(
                () ->
                    new InvalidValueException(
                        "the version in the path must be a whole number from 1 to "
                            + Integer.MAX_VALUE));
    int size = request.body().length;
    if (size > MAX_SIZE) {
      throw new ProblemException(
          ProblemKind.BODY_TOO_LARGE,
          "A workflow may have %s bytes; this one has %s.".formatted(MAX_SIZE, size));
    }
    Map<String, @Nullable Object> dag = JsonFields.parsed(request);
    Map<String, ScheduleDraft> drafts = form.read(id, version, dag);
    Precondition precondition = Precondition.of(request);
    try {
      return workflows(request)
          .deployIf(id, version, Json.write(dag), before -> !precondition.forbids(tag(before)))
          .map(this::reply)
          .orElseGet(() -> Precondition.failed(CHANGED));
    } catch (RefusedDraftException e) {
      throw new ProblemException(
          ProblemKind.INVALID_INPUT,
          List.of(FieldError.at(place(drafts, e.key()), String.valueOf(e.getMessage()))));
    }
  }

  private static String place(Map<String, ScheduleDraft> drafts, String key) {
    return drafts.entrySet().stream()
        .filter(draft -> draft.getValue().key().equals(key))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  private Reply reply(Workflows.Deployment done) {
    Map<String, @Nullable Object> view =
        WorkflowView.named(done.workflow().id(), done.workflow().version());
    WorkflowView.stamped(view, done.workflow().deployed());
    view.put("schedules", WorkflowView.changes(done.schedules()));
    done.schedules().stream()
        .map(ChangeResult::schedule)
        .filter(schedule -> schedule.status() != ScheduleStatus.RETIRED)
        .forEach(schedule -> form.targets().warn(view, schedule.definition().target()));
    return tagged(Reply.json(done.isNew() ? 201 : 200, view), done.workflow());
  }

  private static Reply tagged(Reply reply, Workflow workflow) {
    return tag(Optional.of(workflow)).map(tag -> reply.header("ETag", tag)).orElse(reply);
  }

  /* What was removed has none: to deploy it again is to create it. */
  private static Optional<String> tag(Optional<Workflow> workflow) {
    return workflow.filter(found -> found.removed().isEmpty()).map(WorkflowView::etag);
  }

  Reply delete(Request request) {
    String id = request.part("id");
    return workflows(request)
        .remove(id)
        .map(done -> removed(id, done))
        .orElseThrow(() -> NotFound.workflow(id));
  }

  Reply deleteVersion(Request request) {
    String id = request.part("id");
    int version = number(request).orElseThrow(() -> NotFound.workflowVersion(id));
    Precondition precondition = Precondition.of(request);
    return workflows(request)
        .removeIf(id, version, found -> !precondition.forbids(tag(Optional.of(found))))
        .map(done -> removed(id, done))
        .orElseGet(() -> notRemoved(id, version));
  }

  private Reply notRemoved(String id, int version) {
    if (tag(store.find(id, version)).isEmpty()) {
      throw NotFound.workflowVersion(id);
    }
    return Precondition.failed(CHANGED);
  }

  private static Reply removed(String id, Workflows.Removal done) {
    List<ChangeResult> schedules = done.schedules();
    return Reply.ok(
        Map.of(
            "id", id, "versions", done.versions(), "schedules", WorkflowView.changes(schedules)));
  }

  private static Optional<Integer> number(Request request) {
    String text = request.part("n");
    OptionalLong number = AsciiText.number(text, 10);
    return !text.startsWith("0") && number.isPresent() && number.getAsLong() <= Integer.MAX_VALUE
        ? Optional.of((int) number.getAsLong())
        : Optional.empty();
  }

  private Workflows workflows(Request request) {
    return workflows.as(request.caller().name());
  }
}
