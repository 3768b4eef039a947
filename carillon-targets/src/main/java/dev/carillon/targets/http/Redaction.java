package dev.carillon.targets.http;

import dev.carillon.model.Failure;
import dev.carillon.targets.SafeText;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps the query and the secrets of a target, also when an endpoint echoes them, out of messages.
 */
final class Redaction {
  private static final String HIDDEN = "[hidden]";
  private static final int MIN_SECRET = 8;

  /* Reasons have a lower length limit than URLs. */
  private static final int MAX_CALL = 500;

  private final String call;
  private final List<String> secrets;

  Redaction(HttpTargetSettings settings) {
    this.call = settings.method() + " " + ShownUrl.of(settings.url());
    this.secrets =
        Stream.of(
                settings.secrets().stream().flatMap(Redaction::forms),
                settings.headers().values().stream().flatMap(Redaction::forms),
                settings.template().stream()
                    .flatMap(template -> template.headers().values().stream())
                    .flatMap(header -> header.literals().stream())
                    .map(String::strip)
                    .flatMap(Redaction::forms),
                queryValues(settings.url()),
                settings.statusUrl().stream().flatMap(Redaction::queryValues))
            .flatMap(all -> all)
            .filter(secret -> secret.length() >= MIN_SECRET)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /* As it is, without the word in front of it, and without the mark of what it is. */
  private static Stream<String> forms(String secret) {
    String last = secret.substring(secret.lastIndexOf(' ') + 1);
    return Stream.of(
        secret,
        last,
        secret.startsWith(WebhookSignature.PREFIX)
            ? secret.substring(WebhookSignature.PREFIX.length())
            : last);
  }

  private static Stream<String> queryValues(URI url) {
    String query = url.getRawQuery();
    if (query == null) {
      return Stream.empty();
    }
    var values = new ArrayList<String>(List.of(query));
    for (String pair : query.split("&", -1)) {
      String value = pair.substring(pair.indexOf('=') + 1);
      values.add(value);
      decoded(value).ifPresent(values::add);
    }
    return values.stream();
  }

  private static Optional<String> decoded(String value) {
    try {
      return Optional.of(URLDecoder.decode(value, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException notEncoded) {
      return Optional.empty();
    }
  }

  /** Return the method and the URL without its query. */
  String call() {
    return call;
  }

  /** Return {@code text} with secrets replaced. */
  String hide(String text) {
    String shown = text;
    for (String secret : secrets) {
      shown = shown.replace(secret, HIDDEN);
    }
    return shown;
  }

  /** Return the reason for pausing a schedule after a 410. */
  String goneReason() {
    return SafeText.line(call, MAX_CALL) + " answered 410: it wants no more messages";
  }

  /** Return the response with secrets replaced. */
  String details(EndpointResponse response) {
    String note =
        response.whole() ? "" : "\n[the answer was longer than 64 KiB; the rest was not read]";
    String shown = "HTTP " + response.status() + "\n\n" + hide(response.body());
    return SafeText.text(shown, Failure.MAX_DETAILS - note.length()) + note;
  }

  /** Return {@code response} with secrets replaced in all of it. */
  EndpointResponse hidden(EndpointResponse response) {
    var headers = new HashMap<String, String>();
    response.headers().forEach((name, value) -> headers.put(name, hide(value)));
    return new EndpointResponse(
        response.status(), headers, hide(response.body()), response.whole());
  }
}
