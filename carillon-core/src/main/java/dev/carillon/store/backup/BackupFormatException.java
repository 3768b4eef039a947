package dev.carillon.store.backup;

import org.jspecify.annotations.Nullable;

/** A file is no backup, or not a whole one, or one that this version cannot restore. */
public final class BackupFormatException extends RuntimeException {
  BackupFormatException(String message) {
    super(message);
  }

  BackupFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
