package dev.carillon.server.web;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether client and route speak the same media types. */
final class MediaTypes {
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";

  private MediaTypes() {}

  static void check(Request request, Route route) {
    checkAccept(request.header("Accept"), route.mediaType());
    if (route.takes().isPresent()) {
      checkContentType(
          request.header("Content-Type"), route.alsoTakes(), route.method().equals("PATCH"));
    }
  }

  private static void checkAccept(Optional<String> accept, String offered) {
    if (accept.isEmpty() || accept.get().isBlank()) {
      return;
    }
    String kind = offered.substring(0, offered.indexOf('/')) + "/*";
    boolean accepted =
        Arrays.stream(accept.get().split(",", -1))
            .filter(range -> !refused(range))
            .map(MediaTypes::bare)
            .anyMatch(range -> List.of("*/*", kind, offered).contains(range));
    if (!accepted) {
      throw new ProblemException(
          ProblemKind.NOT_ACCEPTABLE,
          "This is answered as %s; accept that, or leave the Accept header out."
              .formatted(offered));
    }
  }

  private static boolean refused(String range) {
    return Arrays.stream(range.replace(" ", "").split(";", -1))
        .skip(1)
        .anyMatch(MediaTypes::isZeroQuality);
  }

  private static boolean isZeroQuality(String parameter) {
    return parameter.equals("q=0")
        || (parameter.startsWith("q=0.")
            && parameter.chars().skip("q=0.".length()).allMatch(digit -> digit == '0'));
  }

  /** Tell whether the body of a request is of {@code mediaType}. */
  static boolean isOf(String mediaType, Request request) {
    return request.header("Content-Type").filter(type -> bare(type).equals(mediaType)).isPresent();
  }

  private static void checkContentType(
      Optional<String> contentType, Optional<String> other, boolean patch) {
    if (contentType.isEmpty()) {
      return;
    }
    String type = bare(contentType.get());
    boolean known =
        type.equals(JSON)
            || (patch && type.equals(MERGE_PATCH))
            || other.filter(type::equals).isPresent();
    if (!known || !readable(contentType.get())) {
      throw Problem.of(
              ProblemKind.UNSUPPORTED_MEDIA_TYPE,
              "Send JSON in UTF-8, with the header Content-Type: %s.%s"
                  .formatted(
                      patch ? MERGE_PATCH : JSON,
                      other.map(" It may also be of type %s."::formatted).orElse("")))
          .header(patch ? "Accept-Patch" : "Accept", patch ? MERGE_PATCH : JSON)
          .problemException();
    }
  }

  private static boolean readable(String contentType) {
    String parameters = contentType.toLowerCase(Locale.ROOT).replace("\"", "").replace(" ", "");
    int charset = parameters.indexOf(";charset=");
    return charset < 0 || parameters.startsWith("utf-8", charset + ";charset=".length());
  }

  private static String bare(String range) {
    int end = range.indexOf(';');
    return (end < 0 ? range : range.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }
}
