package dev.carillon.targets.http;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.targets.SafeText;
import dev.carillon.targets.guard.AddressRefusedException;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.HttpResponseException;

/** The outcome of a run whose request got no response. */
final class TransportError {
  private TransportError() {}

  /**
   * Return the outcome that a failed request means.
   *
   * @param redaction names the call in messages, and hides secrets
   */
  static Outcome outcome(Throwable cause, Redaction redaction) {
    String call = redaction.call();
    String message = SafeText.line(redaction.hide(String.valueOf(cause.getMessage())), 500);
    if (cause instanceof AddressRefusedException) {
      return Outcome.failedPermanently(
          Failure.of("address_refused", call + " was not called: " + message));
    }
    return Outcome.failed(
        Failure.of(code(cause), call + " failed: " + explanation(cause, message)));
  }

  private static String code(Throwable cause) {
    if (cause instanceof UnknownHostException) {
      return "unknown_host";
    }
    if (cause instanceof ConnectException || cause instanceof SocketTimeoutException) {
      return "no_connection";
    }
    if (cause instanceof SSLException) {
      return "tls";
    }
    if (cause instanceof TimeoutException) {
      return "no_answer";
    }
    return cause instanceof HttpResponseException
            || cause instanceof InterimResponses.TooManyException
        ? "bad_answer"
        : "network";
  }

  private static String explanation(Throwable cause, String message) {
    if (cause instanceof UnknownHostException) {
      return "there is no host of that name";
    }
    if (cause instanceof TimeoutException) {
      return "no whole answer in time";
    }
    if (cause instanceof EOFException) {
      return "the connection was closed before the whole answer";
    }
    if (cause instanceof HttpResponseException) {
      return "the answer cannot be read as HTTP";
    }
    if (cause instanceof InterimResponses.TooManyException) {
      return message;
    }
    return cause.getClass().getSimpleName() + ": " + message;
  }
}
