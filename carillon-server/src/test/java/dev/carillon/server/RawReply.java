package dev.carillon.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What came back over a socket, byte by byte. */
final class RawReply {
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  private RawReply(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** Send {@code request} as it is, which must ask for the connection to be closed. */
  static RawReply to(int port, String request) throws IOException {
    return over(new Socket(InetAddress.getLoopbackAddress(), port), request);
  }

  /** Send {@code request} as it is over a new connection, which is closed then. */
  static RawReply over(Socket connection, String request) throws IOException {
    try (connection) {
      connection.setSoTimeout(20_000);
      connection.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return read(connection.getInputStream().readAllBytes());
    }
  }

  static RawReply read(byte[] all) {
    String text = new String(all, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new AssertionError("no end of headers: " + text);
    }
    String[] lines = text.substring(0, end).split("\r\n", -1);
    var headers = new TreeMap<String, String>();
    for (String line : Arrays.copyOfRange(lines, 1, lines.length)) {
      String[] parts = line.split(": ", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
    }
    byte[] body = Arrays.copyOfRange(all, end + 4, all.length);
    boolean chunked = headers.getOrDefault("transfer-encoding", "").equals("chunked");
    return new RawReply(
        Integer.parseInt(lines[0].split(" ", 3)[1]), headers, chunked ? joined(body) : body);
  }

  private static byte[] joined(byte[] chunks) {
    String text = new String(chunks, StandardCharsets.ISO_8859_1);
    var body = new ByteArrayOutputStream();
    int at = 0;
    while (true) {
      int line = text.indexOf("\r\n", at);
      int length = Integer.parseInt(text.substring(at, line), 16);
      if (length == 0) {
        return body.toByteArray();
      }
      body.write(chunks, line + 2, length);
      at = line + 2 + length + 2;
    }
  }

  /** Return the status in the first line. */
  int status() {
    return status;
  }

  /** Return what came after the headers, without the marks of chunks. */
  byte[] body() {
    return body.clone();
  }

  /** Return a header by its name in lower case; empty if there is none. */
  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** Return the body as text; fail if it is not UTF-8 throughout. */
  String text() throws CharacterCodingException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT)
        .decode(ByteBuffer.wrap(body))
        .toString();
  }
}
