package dev.carillon.server.api;

import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.signin.ConsoleSessions;
import dev.carillon.server.signin.SameOrigin;
import dev.carillon.server.signin.SessionCookie;
import dev.carillon.server.signin.SignIn;
import dev.carillon.server.signin.SignInLinks;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.ConcurrencyLimit;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** The resource {@code /session}: the session of the console, which a cookie stands for. */
public final class SessionRoutes {
  private static final String PATH = Api.ROOT + "/session";
  private static final int MAX_TOKEN = 8_000;
  private static final int MAX_CODE = 100;
  private static final int MAX_AT_ONCE = 2;

  private final ConsoleSessions sessions;
  private final SignIn signIn;
  private final SignInLinks links;
  private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_AT_ONCE);

  /** Begin sessions of those whom {@code signIn} or {@code links} let in. */
  public SessionRoutes(ConsoleSessions sessions, SignIn signIn, SignInLinks links) {
    this.sessions = sessions;
    this.signIn = signIn;
    this.links = links;
  }

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(PATH, Role.OPEN, "beginSession")
            .summary("Sign in to the console by a token or the code of a sign-in link")
            .takes("NewSession")
            .secret()
            .repeatable()
            .answers(201, "Session", this::begin),
        Route.delete(PATH, Role.VIEWER, "endSession")
            .reach(Reach.ALL)
            .summary("Sign out of the console")
            .answers(204, "", this::end));
  }

  Reply begin(Request request) {
    SameOrigin.check(request);
    JsonFields fields = JsonFields.of(request);
    Optional<String> token = fields.text("token").filter(text -> text.length() <= MAX_TOKEN);
    Optional<String> code = fields.text("code").filter(text -> text.length() <= MAX_CODE);
    if (token.isPresent() == code.isPresent()) {
      fields.error("token", "send either a token, or as code what follows # in a sign-in link");
    }
    fields.done();
    String shown =
        code.map(used -> links.signIn(used, request.address()).token())
            .or(() -> token)
            .orElseThrow();
    Caller caller = signIn.apply(request.header("Authorization", "Bearer " + shown));
    if (caller.role() == Role.OPEN) {
      throw new ProblemException(
          ProblemKind.FORBIDDEN, "The console needs the role viewer; this token has none.");
    }
    ConsoleSessions.Begun begun = limit.take(() -> sessions.begin(caller, shown));
    SessionCookie.of(request).ifPresent(sessions::end);
    var view = new LinkedHashMap<String, Object>();
    view.put("name", caller.name());
    view.put("role", caller.role().word());
    view.put("expiresAt", ContractText.of(begun.expiresAt()));
    return Reply.json(201, view)
        .header("Set-Cookie", SessionCookie.set(request, begun.secret(), ConsoleSessions.LIFETIME));
  }

  Reply end(Request request) {
    SessionCookie.of(request).ifPresent(sessions::end);
    return Reply.done().header("Set-Cookie", SessionCookie.removed(request));
  }
}
