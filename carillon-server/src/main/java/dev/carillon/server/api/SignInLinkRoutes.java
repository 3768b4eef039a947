package dev.carillon.server.api;

import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.signin.SignInLinks;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Links by which an administrator signs in once, and where they lead. */
public record SignInLinkRoutes(SignInLinks links) {
  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(Api.ROOT + "/sign-in-links", Role.ADMIN, "createSignInLink")
            .summary("Make a link that signs an administrator in once, within ten minutes")
            .secret()
            .repeatable()
            .answers(201, "SignInLink", this::create),
        Route.post(Api.ROOT + "/sign-in", Role.OPEN, "signIn")
            .summary("Exchange the code of a sign-in link, once, for a token of 12 hours")
            .takes("SignInCode")
            .secret()
            .repeatable()
            .answers(201, "SignedIn", this::signIn),
        Route.get(SignInLinks.PATH, Role.OPEN, "openSignInLink")
            .summary("Lead from a sign-in link to the console, which reads its code")
            .as(ConsoleRoutes.HTML)
            .answers(302, "", request -> ConsoleRoutes.redirect("console/sign-in")));
  }

  Reply create(Request request) {
    SignInLinks.Link link = links.create(request.caller().name());
    var view = new LinkedHashMap<String, Object>();
    view.put("path", link.path());
    view.put("expiresAt", ContractText.of(link.expiresAt()));
    return Reply.json(201, view);
  }

  Reply signIn(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> code = fields.needed("code", "send what follows # in the link");
    fields.done();
    SignInLinks.Session session = links.signIn(code.orElseThrow(), request.address());
    var view = new LinkedHashMap<String, Object>();
    view.put("token", session.token());
    view.put("roles", session.stored().roles());
    view.put("expiresAt", ContractText.of(session.stored().expiresAt().orElseThrow()));
    return Reply.json(201, view);
  }
}
