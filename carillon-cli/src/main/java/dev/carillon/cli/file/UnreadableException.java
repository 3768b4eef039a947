package dev.carillon.cli.file;

/** A file that is no definition; the message says where and why. */
public final class UnreadableException extends RuntimeException {
  UnreadableException(String source, int line, String problem) {
    super("%s:%s: %s".formatted(source, line, problem));
  }

  public UnreadableException(String problem) {
    super(problem);
  }
}
