package dev.carillon.targets.http;

import dev.carillon.model.Failure;
import dev.carillon.targets.SafeText;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Keeps the query and echoed secrets out of messages about a call. */
final class Redaction {
  private static final int MIN_SECRET = 8;

  /* Reasons have a lower length limit than URLs. */
  private static final int MAX_CALL = 500;

  private final String call;
  private final List<String> secrets;

  Redaction(HttpTargetSettings settings) {
    URI url = settings.url();
    this.call =
        "%s %s://%s%s"
            .formatted(settings.method(), url.getScheme(), url.getRawAuthority(), url.getRawPath());
    this.secrets =
        Stream.concat(
                settings.secrets().stream(),
                settings.headers().values().stream()
                    .flatMap(
                        value -> Stream.of(value, value.substring(value.lastIndexOf(' ') + 1))))
            .filter(secret -> secret.length() >= MIN_SECRET)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** Return the method and the URL without its query. */
  String call() {
    return call;
  }

  /** Return the reason for pausing a schedule after a 410. */
  String goneReason() {
    return SafeText.line(call, MAX_CALL) + " answered 410: it wants no more messages";
  }

  /** Return the response with secrets replaced. */
  String details(EndpointResponse response) {
    String body = response.body();
    for (String secret : secrets) {
      body = body.replace(secret, "[hidden]");
    }
    String note =
        response.whole() ? "" : "\n[the answer was longer than 64 KiB; the rest was not read]";
    String shown = "HTTP " + response.status() + "\n\n" + body;
    return SafeText.text(shown, Failure.MAX_DETAILS - note.length()) + note;
  }
}
