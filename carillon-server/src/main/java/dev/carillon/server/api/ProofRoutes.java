package dev.carillon.server.api;

import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.signin.ServerProof;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The question of a program that is about to send the token of the data folder. */
public record ProofRoutes(ServerProof proof) {
  private static final int MIN_NONCE = 16;
  private static final int MAX_NONCE = 100;

  /** Return the routes, which need no sign-in. */
  public List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/proof", Role.OPEN, "proveServer")
            .summary("Prove to who can read the data folder that this is the server recorded there")
            .query(
                QueryParameter.text(
                    "nonce", "16 to 100 characters, of which the proof is made anew each time."))
            .withoutDatabase()
            .answers(200, "ServerProof", this::prove));
  }

  Reply prove(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Optional<String> nonce = parameters.text("nonce");
    if (nonce.filter(text -> text.length() >= MIN_NONCE && text.length() <= MAX_NONCE).isEmpty()) {
      parameters.error("nonce", "send 16 to 100 random characters");
    }
    parameters.done();
    return Reply.ok(Map.of("proof", proof.answer(nonce.orElseThrow())));
  }
}
