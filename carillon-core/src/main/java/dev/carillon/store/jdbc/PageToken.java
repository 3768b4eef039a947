package dev.carillon.store.jdbc;

import dev.carillon.model.RunId;
import dev.carillon.model.StorableText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import java.util.function.Function;
import java.util.zip.CRC32;

/**
 * Where the next page of a list begins, as a text that clients send back. It names the list and a
 * position in it, so the next page may have another filter. A checksum detects damage.
 */
public final class PageToken {
  private static final byte VERSION = 1;
  private static final int MAX_LENGTH = 2_000;

  private PageToken() {}

  /** The lists that have pages. */
  public enum Of {
    SCHEDULES('s'),
    RUNS('r'),
    AUDIT('a'),
    TOKENS('t'),
    WORKFLOWS('w'),
    VERSIONS('v'),
    PINGS('p'),
    CALENDARS('c'),
    QUIET_HOURS('q');

    private final byte letter;

    Of(char letter) {
      this.letter = (byte) letter;
    }
  }

  /** Return the token for a position in a list. */
  public static String at(Of list, String position) {
    byte[] text = position.getBytes(StandardCharsets.UTF_8);
    byte[] body =
        ByteBuffer.allocate(2 + text.length).put(VERSION).put(list.letter).put(text).array();
    byte[] whole = ByteBuffer.allocate(body.length + 4).put(body).putInt(checksum(body)).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  /** Read the position that {@link #at} was given. */
  public static String text(Of list, String token) {
    return read(list, token, position -> position);
  }

  public static RunId run(String token) {
    return read(Of.RUNS, token, position -> RunId.parse(position).orElseThrow(PageToken::damaged));
  }

  public static long number(Of list, String token) {
    return read(list, token, Long::parseLong);
  }

  public static UUID uuid(Of list, String token) {
    return read(list, token, UUID::fromString);
  }

  private static <T> T read(Of list, String token, Function<String, T> toPosition) {
    byte[] whole = decode(token);
    byte[] body = Arrays.copyOf(whole, Math.max(0, whole.length - 4));
    if (body.length < 2
        || body[0] != VERSION
        || ByteBuffer.wrap(whole, body.length, 4).getInt() != checksum(body)) {
      throw damaged();
    }
    if (body[1] != list.letter) {
      throw new PageTokenException(
          "this cursor is of another list; use the one that came with the page before");
    }
    String position = new String(body, 2, body.length - 2, StandardCharsets.UTF_8);
    if (!StorableText.is(position)) {
      throw damaged();
    }
    try {
      return toPosition.apply(position);
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  private static byte[] decode(String token) {
    if (token.length() > MAX_LENGTH) {
      throw damaged();
    }
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  private static int checksum(byte[] body) {
    var sum = new CRC32();
    sum.update(body);
    return (int) sum.getValue();
  }

  private static PageTokenException damaged() {
    return new PageTokenException(
        "this is no cursor; use the one that came with the page before, or none to start anew");
  }
}
