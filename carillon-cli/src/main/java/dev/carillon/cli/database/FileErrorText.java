package dev.carillon.cli.database;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says in words why a file cannot be read or written. */
final class FileErrorText {
  private FileErrorText() {}

  static String of(Exception failure) {
    Exception cause = failure instanceof UncheckedIOException io ? io.getCause() : failure;
    if (cause instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (cause instanceof AccessDeniedException) {
      return "access is denied";
    }
    if (cause instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
  }
}
