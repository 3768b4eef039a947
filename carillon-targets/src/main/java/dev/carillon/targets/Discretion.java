package dev.carillon.targets;

import dev.carillon.model.Failure;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Keeps the query and echoed secrets out of messages about a call. */
final class Discretion {
  private static final int SHORTEST_SECRET = 8;

  /* Reasons have a lower length limit than URLs. */
  private static final int LONGEST_CALL = 500;

  private final String call;
  private final List<String> secrets;

  Discretion(HttpTargetSettings settings) {
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
            .filter(secret -> secret.length() >= SHORTEST_SECRET)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** Return the method and the URL without its query. */
  String call() {
    return call;
  }

  /** Return the reason for pausing a schedule after a 410. */
  String goneReason() {
    return Printable.line(call, LONGEST_CALL) + " answered 410: it wants no more messages";
  }

  /** Return the response with secrets replaced. */
  String details(Answer answer) {
    String body = answer.body();
    for (String secret : secrets) {
      body = body.replace(secret, "[hidden]");
    }
    String note =
        answer.whole() ? "" : "\n[the answer was longer than 64 KiB; the rest was not read]";
    String shown = "HTTP " + answer.status() + "\n\n" + body;
    return Printable.text(shown, Failure.LONGEST_DETAILS - note.length()) + note;
  }
}
