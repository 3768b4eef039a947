package dev.carillon.server.api;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Scope;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.signin.ApiTokenSecret;
import dev.carillon.server.store.ApiToken;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.UnknownName;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code /tokens} resource: who may sign in. A token itself is shown once, when it is made. */
record TokenRoutes(InstantSource clock, TokenStore store) {
  private static final String ALL = Api.ROOT + "/tokens";
  private static final String ONE = ALL + "/{id}";
  private static final int MAX_NAME = 100;

  List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.ADMIN, "listTokens")
            .summary("List API tokens, the newest first")
            .paged()
            .answers(200, "TokenPage", this::list),
        Route.post(ALL, Role.ADMIN, "createToken")
            .summary("Make an API token; it is shown in this answer only")
            .takes("NewToken")
            .secret()
            .answers(201, "CreatedToken", request -> in(request).create(request)),
        Route.get(ONE, Role.ADMIN, "getToken")
            .summary("Get what is known of an API token")
            .answers(200, "Token", this::get),
        Route.delete(ONE, Role.ADMIN, "revokeToken")
            .summary("Revoke an API token at once")
            .answers(200, "Token", this::revoke));
  }

  Reply list(Request request) {
    return PagedLists.reply(
        PagedLists.ask(QueryParameters.of(request), store::page), TokenRoutes::view);
  }

  private TokenRoutes in(Request request) {
    return new TokenRoutes(clock, request.transaction().map(store::in).orElse(store));
  }

  Reply create(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> name = fields.needed("name", "say what the token is for");
    name.filter(text -> text.isBlank() || text.length() > MAX_NAME || control(text))
        .ifPresent(
            text ->
                fields.error("name", "must be a line of 1 to %s characters".formatted(MAX_NAME)));
    fields.require("roles", "say what the token allows: " + String.join(", ", Role.WORDS));
    Optional<List<String>> roles = fields.texts("roles", Role.WORDS.size());
    roles.filter(List::isEmpty).ifPresent(none -> fields.error("roles", "a token needs a role"));
    roles.orElse(List.of()).stream()
        .filter(role -> Role.named(role).isEmpty())
        .forEach(role -> fields.error("roles", UnknownName.word(role, Role.WORDS)));
    Scope scope = scope(fields);
    if (!scope.isAll() && roles.orElse(List.of()).contains(Role.ADMIN.word())) {
      fields.error(
          "scope", "an administrator makes tokens and so cannot be limited; leave the scope out");
    }
    Instant now = clock.instant();
    Optional<Instant> expiresAt = expiry(fields, now);
    fields.done();
    String token = ApiTokenSecret.generate();
    ApiToken made =
        store
            .create(
                name.orElseThrow(),
                ApiTokenSecret.hash(token),
                new TokenStore.Rights(roles.orElseThrow(), scope),
                expiresAt,
                new ChangedBy(now, request.caller().name()))
            .orElseThrow();
    Map<String, @Nullable Object> view = view(made);
    view.put("token", token);
    return Reply.json(201, view).header("Location", ALL + "/" + made.id());
  }

  private static Scope scope(JsonFields fields) {
    Optional<JsonFields> given = fields.object("scope");
    if (given.isEmpty()) {
      return Scope.ALL;
    }
    JsonFields kinds = given.get();
    List<String> targets = values(kinds, "targets");
    List<String> tags = values(kinds, "tags");
    List<String> keys = values(kinds, "keys");
    if (List.of("targets", "tags", "keys").stream().noneMatch(kinds::has)) {
      kinds.error("name targets, tags or keys, or leave the scope out");
    }
    return fields.tried("scope", () -> new Scope(targets, tags, keys)).orElse(Scope.ALL);
  }

  private static List<String> values(JsonFields kinds, String kind) {
    List<String> values = kinds.texts(kind, Scope.MAX_VALUES).orElse(List.of());
    if (values.isEmpty() && kinds.has(kind)) {
      kinds.error(kind, "name at least one, or leave it out if any will do");
    }
    return values;
  }

  private static Optional<Instant> expiry(JsonFields fields, Instant now) {
    Optional<Instant> at = fields.instant("expiresAt");
    Optional<PeriodDuration> in = fields.amount("expiresIn");
    if (fields.has("expiresAt") && fields.has("expiresIn")) {
      fields.error("expiresIn", "a token has either expiresAt or expiresIn, not both");
    }
    Optional<Instant> end =
        at.or(
            () ->
                in.flatMap(
                    wait ->
                        fields.tried(
                            "expiresIn", () -> TimingForm.after(now, wait, TimingForm.UTC))));
    end.filter(moment -> !moment.isAfter(now))
        .ifPresent(past -> fields.error("expiresAt", "a token must end in the future"));
    return end;
  }

  private static boolean control(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  Reply get(Request request) {
    return Reply.ok(view(store.find(id(request)).orElseThrow(TokenRoutes::unknown)));
  }

  Reply revoke(Request request) {
    return store
        .revoke(id(request), new ChangedBy(clock.instant(), request.caller().name()))
        .map(token -> Reply.ok(view(token)))
        .orElseThrow(TokenRoutes::unknown);
  }

  private static UUID id(Request request) {
    try {
      return RunRoutes.uuid(request.part("id"));
    } catch (InvalidValueException e) {
      throw unknown();
    }
  }

  private static RuntimeException unknown() {
    return NotFound.listed(ProblemKind.TOKEN_UNKNOWN, "There is no such token", ALL);
  }

  /** Return {@code scope} as clients see it; null for everything. */
  static @Nullable Object scopeView(Scope scope) {
    return scope.isAll() ? null : scope.kinds();
  }

  private static Map<String, @Nullable Object> view(ApiToken token) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", token.id().toString());
    view.put("name", token.name());
    view.put("roles", token.roles());
    view.put("scope", scopeView(token.scope()));
    view.put("createdAt", ContractText.of(token.created().at()));
    view.put("createdBy", token.created().by());
    view.put("expiresAt", RunView.written(token.expiresAt()));
    view.put("revokedAt", RunView.written(token.revoked().map(ChangedBy::at)));
    view.put("revokedBy", token.revoked().map(ChangedBy::by).orElse(null));
    view.put("lastUsedAt", RunView.written(token.lastUsedAt()));
    return view;
  }
}
