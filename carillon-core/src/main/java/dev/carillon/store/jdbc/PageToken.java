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
 * Where the next page of a list begins, as a text that others keep and give back.
 *
 * <p>It names its list and a place in it, nothing else: a page after it may have another filter. A
 * checksum tells damage from a place; whoever makes one of their own gets a page, never an error of
 * the database.
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
    WORKFLOWS('w');

    private final byte letter;

    Of(char letter) {
      this.letter = (byte) letter;
    }
  }

  /** Return the text for a place in a list. */
  public static String at(Of list, String place) {
    byte[] text = place.getBytes(StandardCharsets.UTF_8);
    byte[] body =
        ByteBuffer.allocate(2 + text.length).put(VERSION).put(list.letter).put(text).array();
    byte[] whole = ByteBuffer.allocate(body.length + 4).put(body).putInt(checksum(body)).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  /** Read back the place that {@link #at} was given, whatever it is. */
  public static String text(Of list, String bookmark) {
    return read(list, bookmark, place -> place);
  }

  public static RunId run(String bookmark) {
    return read(Of.RUNS, bookmark, place -> RunId.parse(place).orElseThrow(PageToken::damaged));
  }

  public static long number(Of list, String bookmark) {
    return read(list, bookmark, Long::parseLong);
  }

  public static UUID uuid(Of list, String bookmark) {
    return read(list, bookmark, UUID::fromString);
  }

  private static <T> T read(Of list, String bookmark, Function<String, T> toPlace) {
    byte[] whole = decode(bookmark);
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
    String place = new String(body, 2, body.length - 2, StandardCharsets.UTF_8);
    if (!StorableText.is(place)) {
      throw damaged();
    }
    try {
      return toPlace.apply(place);
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  private static byte[] decode(String bookmark) {
    if (bookmark.length() > MAX_LENGTH) {
      throw damaged();
    }
    try {
      return Base64.getUrlDecoder().decode(bookmark);
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
