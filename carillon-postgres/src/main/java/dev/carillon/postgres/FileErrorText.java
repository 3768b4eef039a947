package dev.carillon.postgres;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Explains why a file could not be used, since messages of the JDK often contain only its name. */
final class FileErrorText {
  private FileErrorText() {}

  static String of(IOException failure) {
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "a file of that name is in the way";
    }
    if (failure instanceof NoSuchFileException missing) {
      return missing.getFile() + " does not exist";
    }
    if (failure instanceof FileSystemException inFile && inFile.getReason() != null) {
      return inFile.getReason();
    }
    return String.valueOf(failure.getMessage());
  }
}
