package dev.carillon.targets;

import dev.carillon.model.Failure;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Says what may be shown of a call: not the query, and no secret that an endpoint sends back. */
final class Discretion {
  private static final int SHORTEST_SECRET = 8;

  /* A reason may not be as long as an address. */
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

  /** Return the method and the address, for people. */
  String call() {
    return call;
  }

  /** Say why a schedule is paused. */
  String gone() {
    return Printable.line(call, LONGEST_CALL) + " answered 410: it wants no more messages";
  }

  /** Return the answer as far as it may be shown. */
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
