package dev.carillon.server.api;

import dev.carillon.model.ApiToken;
import dev.carillon.model.Stamp;
import dev.carillon.server.read.Fields;
import dev.carillon.server.read.Parameters;
import dev.carillon.server.read.Texts;
import dev.carillon.server.signin.Secret;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.server.web.Unknown;
import dev.carillon.store.TokenStore;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code /tokens} resource: who may sign in. A token itself is shown once, when it is made. */
final class TokenRoutes {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final String ALL = Api.ROOT + "/tokens";
  private static final String ONE = ALL + "/{id}";
  private static final int LONGEST_NAME = 100;

  private final InstantSource clock;
  private final TokenStore store;

  TokenRoutes(InstantSource clock, TokenStore store) {
    this.clock = clock;
    this.store = store;
  }

  List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.ADMIN, "listTokens")
            .summary("List API tokens, the newest first")
            .paged()
            .answers(200, "TokenPage")
            .by(this::list),
        Route.post(ALL, Role.ADMIN, "createToken")
            .summary("Make an API token; it is shown in this answer only")
            .takes("NewToken")
            .answers(201, "CreatedToken")
            .secret()
            .by(this::create),
        Route.get(ONE, Role.ADMIN, "getToken")
            .summary("Get what is known of an API token")
            .answers(200, "Token")
            .by(this::get),
        Route.delete(ONE, Role.ADMIN, "revokeToken")
            .summary("Revoke an API token at once")
            .answers(200, "Token")
            .by(this::revoke));
  }

  Reply list(Request request) {
    return Lists.reply(Lists.ask(Parameters.of(request), store::page), TokenRoutes::view);
  }

  Reply create(Request request) {
    Fields fields = Fields.of(request);
    Optional<String> name = fields.needed("name", "say what the token is for");
    name.filter(text -> text.isBlank() || text.length() > LONGEST_NAME || control(text))
        .ifPresent(
            text ->
                fields.mistake(
                    "name", "must be a line of 1 to %s characters".formatted(LONGEST_NAME)));
    if (!fields.has("roles")) {
      fields.mistake("roles", "say what the token allows: " + String.join(", ", Role.WORDS));
    }
    Optional<List<String>> roles = fields.texts("roles", Role.WORDS.size());
    roles.filter(List::isEmpty).ifPresent(none -> fields.mistake("roles", "a token needs a role"));
    roles.orElse(List.of()).stream()
        .filter(role -> Role.named(role).isEmpty())
        .forEach(role -> fields.mistake("roles", Unknown.word(role, Role.WORDS)));
    Instant now = clock.instant();
    Optional<Instant> expiresAt = expiry(fields, now);
    fields.done();
    String token = Secret.generate();
    ApiToken made =
        store
            .create(
                name.orElseThrow(),
                Secret.hash(token),
                roles.orElseThrow(),
                expiresAt,
                new Stamp(now, request.caller().name()))
            .orElseThrow();
    Map<String, @Nullable Object> view = view(made);
    view.put("token", token);
    return Reply.json(201, view).header("Location", ALL + "/" + made.id());
  }

  private static Optional<Instant> expiry(Fields fields, Instant now) {
    Optional<Instant> at = fields.instant("expiresAt");
    Optional<PeriodDuration> in = fields.amount("expiresIn");
    if (fields.has("expiresAt") && fields.has("expiresIn")) {
      fields.mistake("expiresIn", "a token has either expiresAt or expiresIn, not both");
    }
    Optional<Instant> end =
        at.or(
            () ->
                in.flatMap(
                    wait -> fields.tried("expiresIn", () -> TimingForm.after(now, wait, UTC))));
    end.filter(moment -> !moment.isAfter(now))
        .ifPresent(past -> fields.mistake("expiresAt", "a token must end in the future"));
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
        .revoke(id(request), new Stamp(clock.instant(), request.caller().name()))
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
    return Problem.of(
            ProblemKind.TOKEN_UNKNOWN, "There is no such token; GET %s lists them.".formatted(ALL))
        .refusal();
  }

  private static Map<String, @Nullable Object> view(ApiToken token) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("id", token.id().toString());
    view.put("name", token.name());
    view.put("roles", token.roles());
    view.put("createdAt", Texts.of(token.created().at()));
    view.put("createdBy", token.created().by());
    view.put("expiresAt", RunView.written(token.expiresAt()));
    view.put("revokedAt", RunView.written(token.revoked().map(Stamp::at)));
    view.put("revokedBy", token.revoked().map(Stamp::by).orElse(null));
    view.put("lastUsedAt", RunView.written(token.lastUsedAt()));
    return view;
  }
}
