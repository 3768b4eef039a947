package dev.carillon.server.web;

import dev.carillon.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The content of a reply in UTF-8, in chunks that are given away one by one. */
final class ReplyChunks extends OutputStream {
  private static final int FIRST_BYTES = 1024;
  private static final int MAX_BYTES = 32 * 1024;
  private static final int PIECE_LENGTH = 8 * 1024;

  private final Deque<ByteBuffer> chunks = new ArrayDeque<>();
  private long size;

  private ReplyChunks() {}

  /** Write a value as JSON. */
  static ReplyChunks json(Object value) {
    var chunks = new ReplyChunks();
    Json.write(value, chunks::add);
    return chunks;
  }

  static ReplyChunks text(String text) {
    var chunks = new ReplyChunks();
    int end;
    for (int start = 0; start < text.length(); start = end) {
      end = Math.min(start + PIECE_LENGTH, text.length());
      boolean splitsPair = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
      end = splitsPair ? end + 1 : end;
      chunks.add(text.substring(start, end));
    }
    return chunks;
  }

  private void add(String piece) {
    byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
    write(bytes, 0, bytes.length);
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  /* The last chunk is in the state of being written. */
  @Override
  public void write(byte[] bytes, int offset, int length) {
    size += length;
    int at = offset;
    int left = length;
    while (left > 0) {
      ByteBuffer last = chunks.peekLast();
      if (last == null || !last.hasRemaining()) {
        last = ByteBuffer.allocate(last == null ? FIRST_BYTES : grown(last.capacity()));
        chunks.addLast(last);
      }
      int some = Math.min(left, last.remaining());
      last.put(bytes, at, some);
      at += some;
      left -= some;
    }
  }

  private static int grown(int capacity) {
    return Math.min(MAX_BYTES, capacity * 2);
  }

  /** Return how many bytes were written. */
  long size() {
    return size;
  }

  boolean isEmpty() {
    return chunks.isEmpty();
  }

  /** Give the first chunk away; null if there is none. */
  @Nullable ByteBuffer next() {
    ByteBuffer next = chunks.pollFirst();
    return next == null ? null : next.flip();
  }

  void clear() {
    chunks.clear();
  }

  /** Give everything away, and return it compressed. */
  ReplyChunks compressed() {
    var packed = new ReplyChunks();
    try (var out = new GZIPOutputStream(packed)) {
      for (ByteBuffer next = next(); next != null; next = next()) {
        out.write(next.array(), next.arrayOffset(), next.remaining());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed;
  }
}
