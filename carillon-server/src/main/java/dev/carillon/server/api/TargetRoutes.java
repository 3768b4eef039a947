package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.json.AsciiText;
import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Payload;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.store.SecretKeyMissingException;
import dev.carillon.server.store.StoredTarget;
import dev.carillon.server.store.TargetSettings;
import dev.carillon.server.store.TargetStore;
import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.UnknownName;
import dev.carillon.time.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The {@code /targets} resource: where runs go. */
record TargetRoutes(
    Carillon carillon, TargetStore store, Map<String, TargetKind> kinds, TargetCatalog catalog) {
  private static final String ALL = Api.ROOT + "/targets";
  private static final String ONE = ALL + "/{label}";
  private static final Set<String> BUILT_IN = Set.of("log", "noop");
  private static final int MAX_LABEL = 200;
  private static final int MAX_TRIES = 10;

  List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.VIEWER, "listTargets")
            .reach(Reach.SCOPE)
            .summary("List targets by label; secrets are not shown")
            .paged()
            .readsAll()
            .answers(200, "TargetPage", this::list),
        Route.get(ONE, Role.VIEWER, "getTarget")
            .reach(Reach.SCOPE)
            .summary("Get a target; secrets are not shown")
            .answers(200, "Target", this::get),
        Route.put(ONE, Role.ADMIN, "putTarget")
            .summary(
                "Define a target, or define it anew; without a secret it keeps the one it has, null"
                    + " takes it away")
            .query(QueryParameter.flag("dryRun", "Only tell what would change."))
            .takes("TargetDefinition")
            .answers(200, "TargetOrDryRun")
            .answers(201, "Target", this::put),
        Route.post(ONE + "/test", Role.OPERATOR, "testTarget")
            .reach(Reach.SCOPE)
            .summary("Send a target one signed message that is no run, and tell what came of it")
            .takes("TargetTestRequest")
            .repeatable()
            .answers(200, "TargetTest", this::test),
        Route.delete(ONE, Role.ADMIN, "deleteTarget")
            .summary("Remove a target that nothing uses")
            .answers(204, "", this::delete));
  }

  Reply list(Request request) {
    boolean whole = mayChange(request);
    var targets = new TreeMap<String, Map<String, @Nullable Object>>();
    carillon.targets().labels().forEach(label -> targets.put(label, inCode(label, whole)));
    store.list().forEach(target -> targets.put(target.label(), view(target, whole)));
    targets.keySet().removeIf(label -> !request.caller().scope().admitsTarget(label));
    return PagedLists.reply(
        PagedLists.slice(
            QueryParameters.of(request),
            List.copyOf(targets.values()),
            target -> String.valueOf(target.get("label")),
            target -> Json.write(target).length()),
        target -> target);
  }

  Reply get(Request request) {
    String label = request.part("label");
    if (!request.caller().scope().admitsTarget(label)) {
      throw unknown();
    }
    Optional<StoredTarget> stored = store.find(label);
    if (stored.isPresent()) {
      return Reply.ok(view(stored.get(), mayChange(request))).header("ETag", etag(stored.get()));
    }
    if (!carillon.targets().labels().contains(label)) {
      throw unknown();
    }
    return Reply.ok(inCode(label, mayChange(request)));
  }

  private static boolean mayChange(Request request) {
    return request.caller().role().covers(Role.ADMIN);
  }

  Reply put(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
    parameters.done();
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Optional<Reply> reply = put(request, dryRun);
      if (reply.isPresent()) {
        return reply.get();
      }
    }
    throw changed();
  }

  /* Empty if the target was changed between reading its secret and writing it again. */
  private Optional<Reply> put(Request request, boolean dryRun) {
    String label = request.part("label");
    Optional<StoredTarget> before = store.find(label);
    Map<String, @Nullable Object> given = JsonFields.parsed(request);
    Map<String, @Nullable Object> json = TargetSecrets.kept(given, before);
    if (before.filter(StoredTarget::unreadable).isPresent() && TargetSecrets.isSilent(given)) {
      throw new ProblemException(
          ProblemKind.SECRET_KEY_UNKNOWN,
          "The secret that the target has cannot be read here; give secret anew, or null for none.");
    }
    if (before.isEmpty()
        && carillon.targets().labels().contains(label)
        && !catalog.isBuiltIn(label)
        && !(catalog.isOfOthers(label) && "worker".equals(json.get("type")))) {
      throw new ProblemException(
          ProblemKind.TARGET_BUILT_IN,
          "The target is built in or registered in code; use another label.");
    }
    String type = checked(label, json);
    TargetSettings settings = storable(json);
    ChangedBy by = stamp(request);
    Optional<Long> expected = expected(request, before.isPresent());
    if (dryRun) {
      if (expected.isPresent()
          && !expected.equals(before.map(StoredTarget::revision).or(() -> Optional.of(0L)))) {
        throw changed();
      }
      var after = new StoredTarget(label, type, settings, 0, by);
      Reply reply = Reply.ok(tried(before, after, warnings(type, json)));
      return before.map(now -> reply.header("ETag", etag(now))).or(() -> Optional.of(reply));
    }
    Optional<StoredTarget> stored =
        expected
            .or(() -> before.map(StoredTarget::revision))
            .map(revision -> store.put(label, type, settings, by, revision))
            .orElseGet(() -> Optional.of(store.put(label, type, settings, by)));
    if (stored.isEmpty() && expected.isPresent()) {
      throw changed();
    }
    return stored.map(
        target -> {
          catalog.refresh();
          Map<String, @Nullable Object> view = view(target, true);
          view.put("warnings", warnings(type, json));
          return Reply.json(before.isPresent() ? 200 : 201, view).header("ETag", etag(target));
        });
  }

  private TargetSettings storable(Map<String, @Nullable Object> json) {
    TargetSettings settings = TargetSettings.of(json);
    try {
      store.check(settings);
    } catch (SecretKeyMissingException e) {
      throw new ProblemException(
          ProblemKind.SECRET_KEY_MISSING,
          "Secrets, headers and the query of URLs are stored encrypted; set secret-key-file, or CARILLON_SECRET_KEY, to the same keys on every server. 'carillon secret new-key' makes one.");
    }
    return settings;
  }

  private List<Map<String, String>> warnings(String type, Map<String, @Nullable Object> json) {
    return Optional.ofNullable(kinds.get(type)).stream()
        .flatMap(kind -> kind.warnings(json).stream())
        .map(failure -> Map.of("code", failure.code(), "message", failure.message()))
        .toList();
  }

  private Map<String, @Nullable Object> tried(
      Optional<StoredTarget> before, StoredTarget after, List<Map<String, String>> warnings) {
    List<Map<String, @Nullable Object>> changes =
        before
            .map(now -> TargetSecrets.changes(now, view(now, true), after, view(after, true)))
            .orElse(List.of());
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("dryRun", true);
    view.put("result", before.isEmpty() ? "created" : changes.isEmpty() ? "unchanged" : "changed");
    view.put("changes", changes);
    view.put("warnings", warnings);
    return view;
  }

  Reply test(Request request) {
    String label = request.part("label");
    if (!request.caller().scope().admitsTarget(label)) {
      throw unknown();
    }
    request.caller().scope().checkAdHoc(label);
    JsonFields fields = JsonFields.ofAny(request);
    Payload payload = fields.payload("payload").orElse(Payload.EMPTY);
    fields.done();
    Optional<StoredTarget> stored = store.find(label);
    if (stored.isEmpty() && !carillon.targets().labels().contains(label)) {
      throw unknown();
    }
    String type =
        stored
            .map(StoredTarget::type)
            .orElseGet(() -> String.valueOf(inCode(label, false).get("type")));
    var reply = new CompletableFuture<Reply>();
    Consumer<TargetTestReport> done = report -> reply.complete(Reply.ok(report.view(label, type)));
    if (stored.isEmpty() && catalog.isBuiltIn(label)) {
      catalog.testBuiltIn(label, payload, done);
    } else {
      StoredTarget target =
          stored.orElseGet(
              () -> new StoredTarget(label, type, TargetSettings.of(Map.of()), 0, stamp(request)));
      if (target.unreadable()) {
        throw new ProblemException(
            ProblemKind.SECRET_KEY_UNKNOWN,
            "The settings are encrypted with key %s, which this server does not have."
                .formatted(target.keyId().orElse("")));
      }
      Optional.ofNullable(kinds.get(type))
          .ifPresentOrElse(
              kind -> kind.test(target, payload, done),
              () ->
                  done.accept(
                      TargetTestReport.notTested(
                          "this is code in a program; start a run to see what it does")));
    }
    return Reply.later(
        reply, () -> done.accept(TargetTestReport.notTested("the server stops; ask again")));
  }

  private static RuntimeException changed() {
    return new ProblemException(
        ProblemKind.CHANGED_MEANWHILE, "The target is not as If-Match says. Read it again first.");
  }

  Reply delete(Request request) {
    String label = request.part("label");
    if (store.find(label).isEmpty() && carillon.targets().labels().contains(label)) {
      throw new ProblemException(
          ProblemKind.TARGET_BUILT_IN, "The target is built in or registered in code.");
    }
    ChangedBy by = stamp(request);
    TargetStore.Removal removal =
        catalog.isBuiltIn(label)
            ? store.removeInUse(label, by, revision(request))
            : revision(request)
                .map(revision -> store.remove(label, by, revision))
                .orElseGet(() -> store.remove(label, by));
    switch (removal) {
      case REMOVED -> catalog.refresh();
      case UNKNOWN -> throw unknown();
      case STALE -> throw changed();
      case IN_USE -> throw new ProblemException(ProblemKind.TARGET_IN_USE, inUse(label));
    }
    return Reply.done();
  }

  private String inUse(String label) {
    long schedules = store.inUse(label);
    if (schedules > 0) {
      return schedules == 1
          ? "1 schedule has this target, or escalates to it."
          : "%s schedules have this target, or escalate to it.".formatted(schedules);
    }
    long pings = store.pings(label);
    if (pings > 0) {
      return pings == 1
          ? "1 ping escalates to this target."
          : "%s pings escalate to this target.".formatted(pings);
    }
    return "Runs are on their way to this target, or may escalate to it.";
  }

  private String checked(String label, Map<String, @Nullable Object> json) {
    Object type = json.get("type");
    TargetKind kind = type instanceof String word ? kinds.get(word) : null;
    if (kind == null) {
      String message =
          type instanceof String word
              ? UnknownName.word(word, kinds.keySet())
              : "say of which type: " + String.join(", ", kinds.keySet());
      throw new ProblemException(
          ProblemKind.INVALID_INPUT, List.of(FieldError.at("/type", message)));
    }
    List<FieldError> errors = kind.errors(json);
    if (!errors.isEmpty()) {
      throw new ProblemException(ProblemKind.INVALID_INPUT, errors);
    }
    if (label.isBlank() || label.length() > MAX_LABEL || !label.equals(label.strip())) {
      throw new InvalidValueException("a label has 1 to 200 characters and no blanks around");
    }
    if (label.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidValueException("a label has no control characters");
    }
    return String.valueOf(type);
  }

  private Map<String, @Nullable Object> view(StoredTarget target, boolean whole) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("label", target.label());
    view.put("type", target.type());
    TargetKind kind = kinds.get(target.type());
    if (target.unreadable()) {
      view.put("warnings", List.of(unreadable(target)));
    } else if (kind != null) {
      view.putAll(kind.shown(target.settings().content(), whole));
    }
    view.put("updatedAt", ContractText.of(target.updated().at()));
    view.put("updatedBy", target.updated().by());
    return view;
  }

  private static Map<String, String> unreadable(StoredTarget target) {
    return Map.of(
        "code",
        "secret_key_unknown",
        "message",
        "its settings are encrypted with key %s, which this server does not have"
            .formatted(target.keyId().orElse("")));
  }

  private Map<String, @Nullable Object> inCode(String label, boolean whole) {
    Optional<Map<String, Object>> builtIn = catalog.builtIn(label, whole);
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("label", label);
    view.put("type", BUILT_IN.contains(label) ? label : "handler");
    builtIn.ifPresent(view::putAll);
    if (builtIn.isPresent() || BUILT_IN.contains(label)) {
      view.put("builtIn", true);
    }
    return new TargetLabels(carillon.targets(), catalog).warn(view, label);
  }

  private static String etag(StoredTarget target) {
    return "\"" + target.revision() + "\"";
  }

  /* Zero if there must be none yet. */
  private static Optional<Long> expected(Request request, boolean exists) {
    if (request.header("If-None-Match").filter(tag -> tag.strip().equals("*")).isPresent()) {
      return Optional.of(0L);
    }
    boolean any = request.header("If-Match").filter(tag -> tag.strip().equals("*")).isPresent();
    return any && !exists ? Optional.of(-1L) : revision(request);
  }

  private static Optional<Long> revision(Request request) {
    return request
        .header("If-Match")
        .map(tag -> tag.strip().replace("\"", ""))
        .filter(tag -> !tag.equals("*"))
        .map(tag -> AsciiText.number(tag, 18).orElse(-1));
  }

  private ChangedBy stamp(Request request) {
    return new ChangedBy(carillon.clock().instant(), request.caller().name());
  }

  private static RuntimeException unknown() {
    return NotFound.listed(ProblemKind.TARGET_UNKNOWN, "There is no such target", ALL);
  }
}
