package dev.carillon.server.web;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Percent-encoding, read strictly: what is no UTF-8, or has a NUL in it, is refused. */
final class PercentEncoding {
  private PercentEncoding() {}

  static String part(String raw) {
    return decoded(raw, false);
  }

  /**
   * Read a query.
   *
   * @throws ProblemException if a parameter is given twice, or the encoding is broken
   */
  static Map<String, String> parameters(String query) {
    var parameters = new LinkedHashMap<String, String>();
    for (String pair : query.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals), true);
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1), true);
      if (parameters.putIfAbsent(name, value) != null) {
        throw new ProblemException(
            ProblemKind.INVALID_PARAMETER,
            List.of(
                Problem.FieldError.in(name, "'%s' is given twice; give it once".formatted(name))));
      }
    }
    return parameters;
  }

  private static String decoded(String raw, boolean plusIsBlank) {
    byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
    var out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%') {
        int high = i + 2 < bytes.length ? Character.digit((char) bytes[i + 1], 16) : -1;
        int low = i + 2 < bytes.length ? Character.digit((char) bytes[i + 2], 16) : -1;
        if (high < 0 || low < 0) {
          throw refused(
              "A % must be followed by two hexadecimal digits; write %25 for a percent sign.");
        }
        out.write(high * 16 + low);
        i += 2;
      } else {
        out.write(plusIsBlank && bytes[i] == '+' ? ' ' : bytes[i]);
      }
    }
    return text(out.toByteArray());
  }

  private static String text(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.indexOf(0) >= 0) {
        throw refused("The address must not hold %00.");
      }
      return text;
    } catch (CharacterCodingException e) {
      throw refused("What the address has in percent-encoding must be UTF-8.");
    }
  }

  private static ProblemException refused(String detail) {
    return new ProblemException(ProblemKind.MALFORMED_REQUEST, detail);
  }
}
