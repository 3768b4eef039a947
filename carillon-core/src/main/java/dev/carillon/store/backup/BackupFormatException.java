package dev.carillon.store.backup;

import org.jspecify.annotations.Nullable;

/** A file is not a backup, is incomplete, or cannot be restored by this version. */
public final class BackupFormatException extends RuntimeException {
  BackupFormatException(String message) {
    super(message);
  }

  BackupFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
