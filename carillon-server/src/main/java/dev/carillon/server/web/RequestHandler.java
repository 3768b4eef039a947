package dev.carillon.server.web;

import java.io.IOException;
import java.io.InputStream;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what Jetty has read into requests, and has their replies written. */
final class RequestHandler extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final RequestPipeline pipeline;
  private final TrustedProxies proxies;
  private final PendingReplies pending;

  RequestHandler(RequestPipeline pipeline, TrustedProxies proxies, PendingReplies pending) {
    this.pipeline = pipeline;
    this.proxies = proxies;
    this.pending = pending;
  }

  @Override
  public boolean handle(
      org.eclipse.jetty.server.Request raw, Response response, Callback callback) {
    var writer = new ReplyWriter(raw, response, callback);
    Request request = request(raw);
    try {
      Reply reply = pipeline.answer(request, () -> body(raw));
      if (reply.content() instanceof Reply.Later later) {
        writer.writeLater(later);
        pending.add(later);
      } else {
        writer.write(reply);
      }
    } catch (RuntimeException e) {
      LOG.error("{} failed", request.method(), e);
      writer.write(JettyErrorHandler.problem(500).reply(request.path()));
    }
    return true;
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

  private static byte[] body(org.eclipse.jetty.server.Request raw) {
    byte[] body;
    try (InputStream in = Content.Source.asInputStream(raw)) {
      body = in.readNBytes(WebServer.MAX_BODY_BYTES + 1);
    } catch (IOException | RuntimeException e) {
      throw unreadable(e).problemException();
    }
    if (body.length > WebServer.MAX_BODY_BYTES) {
      throw JettyErrorHandler.tooLarge().problemException();
    }
    return body;
  }

  /* Jetty refuses what is too large or wrongly encoded while it is read. */
  private static Problem unreadable(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpException refusal) {
        return JettyErrorHandler.problem(refusal.getCode());
      }
    }
    return Problem.of(ProblemKind.MALFORMED_REQUEST, "The request's body ended early.");
  }
}
