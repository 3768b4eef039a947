package dev.carillon.cli.console;

/** The exit codes of the commands that talk to a server. */
public final class Exit {
  /** It was tried and did not work. */
  public static final int FAILED = 1;

  /** An option, a file or a definition is wrong; nothing was changed. */
  public static final int USAGE = 2;

  /** There is no such schedule, run, target or token. */
  public static final int NOT_FOUND = 3;

  /** The server wants a token, or one with more rights. */
  public static final int REFUSED = 4;

  /** It is already there, in use, or another client changed it. */
  public static final int CONFLICT = 5;

  /** With {@code --exit-code}: there is something to change. */
  public static final int CHANGES = 6;

  /** No server answered. */
  public static final int UNREACHABLE = 7;

  private Exit() {}

  /** Return the exit code for a reply that is no success. */
  public static int ofStatus(int status) {
    return switch (status) {
      case 400, 413, 415, 422 -> USAGE;
      case 401, 403 -> REFUSED;
      case 404, 410 -> NOT_FOUND;
      case 409, 412, 423, 428 -> CONFLICT;
      default -> FAILED;
    };
  }
}
