package dev.carillon.store.backup;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/** Counts the rows in a stream, which end with a line feed, and computes their checksum. */
final class RowStream {
  private static final int ROWS_PER_REPORT = 1_000;

  private final MessageDigest digest = sha256();
  private final LongConsumer progress;
  private long rows;
  private long reported;

  RowStream(LongConsumer progress) {
    this.progress = progress;
  }

  long rows() {
    return rows;
  }

  /** Return the checksum and reset it. */
  String checksum() {
    return HexFormat.of().formatHex(digest.digest());
  }

  InputStream reading(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = in.read(bytes, offset, length);
        passed(bytes, offset, Math.max(0, read));
        return read;
      }
    };
  }

  OutputStream writing(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        passed(bytes, offset, length);
      }

      @Override
      public void close() {
        // the archive stays open for further entries
      }
    };
  }

  private void passed(byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] == '\n') {
        rows++;
      }
    }
    if (rows - reported >= ROWS_PER_REPORT) {
      reported = rows;
      progress.accept(rows);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
