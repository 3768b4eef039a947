package dev.carillon.server.signin;

import com.nimbusds.jose.jwk.JWKSet;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Fetches a JWK set: within its time to the last byte, and no more of them than are good. */
final class KeyFetch {
  static final Duration FETCH_TIMEOUT = Duration.ofSeconds(2);
  static final int MAX_SIZE = 256 * 1024;

  private final HttpRequest request;
  private final HttpClient client =
      HttpClient.newBuilder().version(Version.HTTP_1_1).followRedirects(Redirect.NEVER).build();

  KeyFetch(URI url) {
    this.request =
        HttpRequest.newBuilder(url)
            .header("Accept", "application/jwk-set+json, application/json")
            .build();
  }

  /** Fetch the public keys; those that are secret are left out. */
  CompletableFuture<JWKSet> keys() {
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(request, head -> new Bounded().subscriber());
    // A timeout of the request itself would end with the head of the answer; a body may drip on.
    return answer
        .copy()
        .orTimeout(FETCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((reply, trouble) -> answer.cancel(true))
        .thenApply(KeyFetch::read);
  }

  private static JWKSet read(HttpResponse<String> reply) {
    if (reply.statusCode() != 200) {
      throw new IllegalStateException("it answered " + reply.statusCode());
    }
    try {
      return JWKSet.parse(reply.body()).toPublicJWKSet();
    } catch (ParseException e) {
      throw new IllegalStateException("it answered with something else than a JWK set");
    }
  }

  /** Say what went wrong, without quoting what was received. */
  static String words(@Nullable Throwable trouble) {
    Throwable cause =
        trouble instanceof CompletionException && trouble.getCause() != null
            ? trouble.getCause()
            : trouble;
    if (cause instanceof TimeoutException) {
      return "no whole answer in " + FETCH_TIMEOUT.toSeconds() + " s";
    }
    return cause instanceof IllegalStateException
        ? String.valueOf(cause.getMessage())
        : String.valueOf(cause == null ? null : cause.getClass().getSimpleName());
  }

  /** What is kept of a body; the rest of one that is too large is not. */
  private static final class Bounded {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    BodySubscriber<String> subscriber() {
      return BodySubscribers.mapping(
          BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(this::keep)),
          nothing -> bytes.toString(StandardCharsets.UTF_8));
    }

    private void keep(byte[] part) {
      if (bytes.size() <= MAX_SIZE) {
        bytes.write(part, 0, Math.min(part.length, MAX_SIZE + 1 - bytes.size()));
      }
    }
  }
}
