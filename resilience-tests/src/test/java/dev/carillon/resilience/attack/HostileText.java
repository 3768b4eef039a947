package dev.carillon.resilience.attack;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests with texts that cost time or do harm where they are read carelessly. */
final class HostileText {
  private static final int MIB = 1024 * 1024;
  private static final String BLANKS = " ".repeat(7_900);

  private HostileText() {}

  static String request(String method, String path, String token, String body) {
    return "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s"
        .formatted(method, path, token, body.length(), body);
  }

  /** Return bodies of up to a mebibyte, all of which must be refused, of several kinds in turn. */
  static String json(int kind) {
    return switch (kind % 6) {
      case 0 -> "[".repeat(MIB - 100);
      case 1 -> "{\"timing\": " + "9".repeat(MIB - 100) + "}";
      case 2 -> collidingKeys();
      case 3 -> "{\"a\":".repeat(MIB / 5 - 100);
      case 4 -> "{\"payload\": [" + "0,".repeat(MIB / 2 - 100) + "0]}";
      default -> "{\"timing\": {\"cron\": \"" + "*/1,".repeat(MIB / 4 - 100) + "\"}}";
    };
  }

  /* "Aa" and "BB" have the same hash, and so have all texts made of as many of them. */
  private static String collidingKeys() {
    var json = new StringBuilder("{");
    for (int i = 0; json.length() < MIB - 100; i++) {
      json.append('"');
      for (int bit = 0; bit < 16; bit++) {
        json.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      json.append("\":0,");
    }
    return json.append("\"z\":0}").toString();
  }

  /** Return requests with very many blanks, each in another place. */
  static List<String> blanks(String token) {
    String head = "GET /api/v1/schedules HTTP/1.1\r\nConnection: close\r\n";
    String end = "\r\n\r\n";
    var requests = new ArrayList<String>();
    requests.add(head + "Host: " + BLANKS + "x" + end);
    requests.add(head + "Host:" + BLANKS + end);
    for (String header :
        List.of("Authorization", "Content-Type", "Accept", "Forwarded", "X-Forwarded-For")) {
      requests.add(head + "Host: x\r\n" + header + ": a" + BLANKS + "b" + end);
    }
    requests.add(
        "GET /api/v1/schedules/%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            .formatted("%20".repeat(2_000)));
    requests.add(
        "GET /api/v1/schedules?q=%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            .formatted("+".repeat(7_000)));
    requests.add(
        request("PUT", "/api/v1/schedules/a", token, " ".repeat(100_000) + "{")
            .replace("Host: x", "Host: x\r\nConnection: close"));
    requests.add(
        request(
                "PUT",
                "/api/v1/schedules/a",
                token,
                "{\"target\": \"press\", \"timing\": {\"cron\": \"%s\"}}"
                    .formatted("* ".repeat(100_000)))
            .replace("Host: x", "Host: x\r\nConnection: close"));
    return requests;
  }

  /** Return requests with characters that would forge lines or move the cursor of a terminal. */
  static List<String> controls(String token) {
    var requests = new ArrayList<String>();
    for (String harm : List.of("\u001b[31m", "\u0007", "\u0085", "\u2028", "\u202e", "\u0000")) {
      requests.add("GET /%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".formatted(harm));
      requests.add(
          "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-%s: %s\r\n\r\n"
              .formatted(harm, harm));
      requests.add(
          "GET /api/v1/schedules HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(harm));
      String body = "{\"%s\": \"%s\"}".formatted(harm, harm);
      requests.add(
          "PUT /api/v1/schedules/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s"
              .formatted(token, body.getBytes(StandardCharsets.UTF_8).length, body));
    }
    for (String harm : List.of("%1b%5b31m", "%0d%0aINFO%20forged", "%e2%80%a8", "%c2%85")) {
      requests.add(
          "GET /api/v1/schedules/%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(harm, token));
    }
    return requests;
  }
}
