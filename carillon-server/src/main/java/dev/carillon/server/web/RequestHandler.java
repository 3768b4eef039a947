package dev.carillon.server.web;

import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what Jetty has read into requests, and has their replies written. */
final class RequestHandler extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final RequestPipeline pipeline;
  private final TrustedProxies proxies;
  private final PendingReplies pending;
  private final PendingBodies bodies;
  private final Connections connections;
  private final Executor workers;
  private final Executor reserve;

  /**
   * Answer by {@code pipeline}.
   *
   * @param workers threads that may block
   * @param reserve threads for what must be answered even if no worker is free
   */
  RequestHandler(
      RequestPipeline pipeline,
      TrustedProxies proxies,
      PendingReplies pending,
      PendingBodies bodies,
      Connections connections,
      Executor workers,
      Executor reserve) {
    this.pipeline = pipeline;
    this.proxies = proxies;
    this.pending = pending;
    this.bodies = bodies;
    this.connections = connections;
    this.workers = workers;
    this.reserve = reserve;
  }

  /**
   * A request and the way back to its client.
   *
   * @param raw as Jetty has read it
   * @param request what is asked
   * @param endPoint the connection it came on
   * @param writer writes the reply
   */
  private record Exchange(
      org.eclipse.jetty.server.Request raw,
      Request request,
      EndPoint endPoint,
      ReplyWriter writer) {}

  /* Called by one of the few threads that serve all connections: it does not wait for anything. */
  @Override
  public boolean handle(
      org.eclipse.jetty.server.Request raw, Response response, Callback callback) {
    EndPoint endPoint =
        ClientProbe.outer(raw.getConnectionMetaData().getConnection().getEndPoint());
    connections.begin(endPoint, raw);
    org.eclipse.jetty.server.Request.addCompletionListener(
        raw, failure -> connections.end(endPoint, raw));
    var exchange =
        new Exchange(
            raw,
            request(raw),
            endPoint,
            new ReplyWriter(raw, response, callback, pipeline.memory()));
    boolean reserved = pipeline.isReserved(exchange.request().path());
    if (!reserved && connections.isCrowded()) {
      write(exchange, crowded(exchange));
    } else {
      execute(reserved ? reserve : workers, exchange, () -> begin(exchange));
    }
    return true;
  }

  private void begin(Exchange exchange) {
    RequestPipeline.Begun begun = pipeline.begin(exchange.request());
    if (begun instanceof RequestPipeline.Admitted admitted) {
      read(exchange, admitted);
    } else {
      write(exchange, ((RequestPipeline.Answered) begun).reply());
    }
  }

  private void read(Exchange exchange, RequestPipeline.Admitted admitted) {
    Function<byte[], Reply> answer = admitted.answer();
    var reader = new BodyReader(exchange.raw(), admitted.caller(), bodies);
    org.eclipse.jetty.server.Request.addCompletionListener(
        exchange.raw(), failure -> reader.discard());
    CompletableFuture<byte[]> body = reader.read();
    boolean atOnce = body.isDone();
    var unused =
        body.whenComplete(
            (bytes, refusal) -> {
              if (atOnce) {
                answer(exchange, answer, bytes, refusal);
              } else {
                execute(workers, exchange, () -> answer(exchange, answer, bytes, refusal));
              }
            });
  }

  private void answer(
      Exchange exchange,
      Function<byte[], Reply> answer,
      byte @Nullable [] body,
      @Nullable Throwable refusal) {
    if (body != null) {
      write(exchange, answer.apply(body));
    } else {
      write(
          exchange,
          (refusal instanceof ProblemException problem
                  ? problem.problem()
                  : JettyErrorHandler.problem(ProblemKind.INTERNAL.status()))
              .reply(exchange.request().path()));
    }
  }

  private void execute(Executor threads, Exchange exchange, Runnable work) {
    try {
      threads.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              LOG.error("{} failed", exchange.request().method(), e);
              write(
                  exchange,
                  JettyErrorHandler.problem(ProblemKind.INTERNAL.status())
                      .reply(exchange.request().path()));
            }
          });
    } catch (RejectedExecutionException stopped) {
      write(exchange, crowded(exchange));
    }
  }

  private static Reply crowded(Exchange exchange) {
    return JettyErrorHandler.problem(ProblemKind.UNAVAILABLE.status())
        .header("Retry-After", "1")
        .header("Connection", "close")
        .reply(exchange.request().path());
  }

  private void write(Exchange exchange, Reply reply) {
    if (reply.content() instanceof Reply.Later later) {
      exchange.writer().writeLater(later, () -> reading(exchange));
      pending.add(later);
      return;
    }
    if (!(reply.content() instanceof Reply.Live)) {
      reading(exchange);
    }
    exchange.writer().write(reply);
  }

  private void reading(Exchange exchange) {
    connections.reply(exchange.endPoint(), exchange.raw());
  }

  private Request request(org.eclipse.jetty.server.Request raw) {
    HttpURI address = raw.getHttpURI();
    EndPoint endPoint = raw.getConnectionMetaData().getConnection().getEndPoint();
    Request request =
        Request.of(raw.getMethod(), Optional.ofNullable(address.getPath()).orElse("/"))
            .query(Optional.ofNullable(address.getQuery()).orElse(""))
            .present(() -> ClientProbe.isThere(endPoint))
            .headers(headers(raw.getHeaders()));
    request =
        request.from(
            proxies.client(
                org.eclipse.jetty.server.Request.getRemoteAddr(raw),
                request.header("X-Forwarded-For"),
                request.header("Forwarded")));
    return certificate(raw).map(request::certificate).orElse(request);
  }

  /* Each field is looked at once: a client may send very many. */
  private static Map<String, String> headers(HttpFields fields) {
    var headers = new HashMap<String, StringBuilder>();
    for (HttpField field : fields) {
      StringBuilder value = headers.get(field.getLowerCaseName());
      String added = Objects.requireNonNullElse(field.getValue(), "");
      if (value == null) {
        headers.put(field.getLowerCaseName(), new StringBuilder(added));
      } else {
        value.append(',').append(added);
      }
    }
    return headers.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, field -> field.getValue().toString()));
  }

  private static Optional<X509Certificate> certificate(org.eclipse.jetty.server.Request raw) {
    return raw.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                instanceof EndPoint.SslSessionData session
            && session.peerCertificates() != null
            && session.peerCertificates().length > 0
        ? Optional.of(session.peerCertificates()[0])
        : Optional.empty();
  }
}
