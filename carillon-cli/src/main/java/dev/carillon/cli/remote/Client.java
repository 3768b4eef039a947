package dev.carillon.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.server.signin.ServerProof;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Asks a server. Redirects are not followed: no other server gets the token. */
public final class Client {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration STREAM_TIMEOUT = Duration.ofMinutes(20); // a stream ends before
  private static final int MAX_ATTEMPTS = 3;
  private static final Duration PROOF_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PROOF_LIFETIME = Duration.ofSeconds(1);
  private static final int OK = 200;
  private static final int STARTING = 503;

  private final Endpoint endpoint;
  private final Duration responseTimeout;
  private final HttpClient http;
  private volatile Optional<Long> provenAt = Optional.empty();

  /** Ask {@code endpoint}, trusting what {@code trust} does; Java's own certificates if empty. */
  Client(Endpoint endpoint, Optional<SSLContext> trust) {
    this(endpoint, trust, RESPONSE_TIMEOUT);
  }

  /**
   * Ask {@code endpoint}.
   *
   * @param responseTimeout how long a whole answer may take, or the beginning of one that goes on
   */
  Client(Endpoint endpoint, Optional<SSLContext> trust, Duration responseTimeout) {
    this.endpoint = endpoint;
    this.responseTimeout = responseTimeout;
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT);
    trust.ifPresent(client::sslContext);
    this.http = client.build();
  }

  /** Return the server that this asks. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /**
   * Ask, and return the answer.
   *
   * @throws RefusedException if the server did not do it
   * @throws CommandFailure if no server answered
   */
  public Reply send(Call call) {
    Reply reply = ask(call);
    if (reply.status() >= 300) {
      throw RefusedException.of(reply, endpoint);
    }
    return reply;
  }

  /** Ask, and return the answer whatever it is. */
  public Reply ask(Call call) {
    HttpResponse<String> response = exchange(request(call).build(), BodyHandlers.ofString());
    return new Reply(response.statusCode(), json(response.body()), response.headers());
  }

  /**
   * Ask, and return the answer as text that is no JSON.
   *
   * @throws RefusedException if the server did not do it
   * @throws CommandFailure if no server answered
   */
  public String text(Call call) {
    HttpResponse<String> response = exchange(request(call).build(), BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw RefusedException.of(
          new Reply(response.statusCode(), json(response.body()), response.headers()), endpoint);
    }
    return response.body();
  }

  /**
   * Ask for an answer that goes on, and return it as it comes.
   *
   * @throws RefusedException if the server does not give one
   * @throws CommandFailure if no server answered
   */
  InputStream open(Call call) {
    HttpRequest request = request(call).timeout(STREAM_TIMEOUT).build();
    HttpResponse<InputStream> response = exchange(request, BodyHandlers.ofInputStream());
    if (response.statusCode() < 300) {
      return response.body();
    }
    try (InputStream body = response.body()) {
      JsonNode said = json(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      throw RefusedException.of(
          new Reply(response.statusCode(), said, response.headers()), endpoint);
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /* As the HTTP client wants it, signed. */
  private HttpRequest.Builder request(Call call) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(endpoint.server() + call.target()))
            .timeout(responseTimeout)
            .header("Accept", "application/json")
            .header("User-Agent", "carillon-cli");
    endpoint.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
    if (call.method().equals("POST")) {
      request.header("Idempotency-Key", UUID.randomUUID().toString());
    }
    call.headers().forEach(request::setHeader);
    call.body().ifPresent(body -> request.header("Content-Type", "application/json"));
    return request.method(
        call.method(),
        call.body()
            .map(body -> BodyPublishers.ofString(Json.write(body)))
            .orElseGet(BodyPublishers::noBody));
  }

  /* A lost answer is asked for again: what has an Idempotency-Key, and what is not a POST, has the
   * effect of one however often it is sent. */
  private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> body) {
    for (int attempt = 1; ; attempt++) {
      try {
        prove();
        return inTime(http.sendAsync(request, body), responseTimeout);
      } catch (HttpTimeoutException | ConnectException | SSLException e) {
        throw unreachable(e);
      } catch (IOException e) {
        provenAt = Optional.empty();
        if (attempt == MAX_ATTEMPTS) {
          throw unreachable(e);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailure(Exit.FAILED, "interrupted");
      }
    }
  }

  /* The token of a data folder is for the server recorded there, and another process may have its
   * port since it was killed. A proof is good for a moment, in which a command asks many things. */
  private void prove() throws IOException, InterruptedException {
    Optional<RecordedServer> recorded = endpoint.recorded();
    if (recorded.isEmpty() || isProven()) {
      return;
    }
    RecordedServer server = recorded.get();
    ServerProof proof = server.proofAt(endpoint.server());
    String nonce = ServerProof.nonce();
    HttpRequest question =
        HttpRequest.newBuilder(URI.create(endpoint.server() + "/api/v1/proof?nonce=" + nonce))
            .timeout(PROOF_TIMEOUT)
            .header("Accept", "application/json")
            .header("User-Agent", "carillon-cli")
            .build();
    HttpResponse<String> answer = proofFrom(server, question);
    if (answer.statusCode() == STARTING) {
      throw new CommandFailure(
          Exit.UNREACHABLE, "the server at %s is starting; ask again".formatted(endpoint.server()));
    }
    if (answer.statusCode() != OK
        || !proof.accepts(nonce, Json.text(json(answer.body()), "/proof"))) {
      throw server.another(endpoint.server());
    }
    provenAt = Optional.of(System.nanoTime());
  }

  private HttpResponse<String> proofFrom(RecordedServer server, HttpRequest question)
      throws IOException, InterruptedException {
    try {
      return inTime(http.sendAsync(question, BodyHandlers.ofString()), PROOF_TIMEOUT);
    } catch (ConnectException e) {
      throw server.notRunning().orElseGet(() -> unreachable(e));
    } catch (HttpTimeoutException | SSLException e) {
      throw unreachable(e);
    } catch (IOException noHttp) {
      throw server.another(endpoint.server());
    }
  }

  private boolean isProven() {
    return provenAt.filter(at -> System.nanoTime() - at < PROOF_LIFETIME.toNanos()).isPresent();
  }

  /* The timeout of the request itself ends with the head of the answer; a body may drip on. */
  private static <T> HttpResponse<T> inTime(
      CompletableFuture<HttpResponse<T>> answer, Duration timeout)
      throws IOException, InterruptedException {
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no whole answer in time");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("the HTTP client failed", e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private CommandFailure unreachable(IOException failure) {
    return new CommandFailure(
        Exit.UNREACHABLE,
        "no server answers at %s: %s; start one with 'carillon serve', or say where it is with"
                .formatted(endpoint.server(), reason(failure))
            + " --server or CARILLON_SERVER");
  }

  private static String reason(IOException failure) {
    if (failure instanceof HttpTimeoutException) {
      return "it took too long";
    }
    if (failure instanceof ConnectException) {
      return "no connection";
    }
    if (failure instanceof SSLException) {
      return "no secure connection (%s); --ca names whom to trust, --cert and --key who you are"
          .formatted(failure.getMessage());
    }
    String said = failure.getMessage();
    return said == null ? failure.getClass().getSimpleName() : said;
  }

  private static JsonNode json(String body) {
    try {
      return body.isBlank() ? MissingNode.getInstance() : Json.read(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
