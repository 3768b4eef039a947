package dev.carillon.postgres;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A view of the file system, for one process, in which a folder can be reached although one above
 * it is closed, such as the home of root: there the closed one is empty but for the way to it.
 */
final class OpenedFolder {
  /* The mounts are private to the process and end with it. The folder waits in $stage while an
   * empty file system is put over the closed one. */
  private static final String SCRIPT =
      """
      set -e
      closed=$1
      folder=$2
      shift 2
      for stage in /mnt /media /srv /opt; do
        case $folder/ in "$stage"/*) continue ;; esac
        [ ! -d "$stage" ] || break
      done
      mount --bind "$folder" "$stage"
      mount -t tmpfs -o mode=755,size=64k tmpfs "$closed"
      mkdir -p "$folder"
      mount --move "$stage" "$folder"
      exec "$@"
      """;

  private OpenedFolder() {}

  /** Return the words before a command that is to run as {@code next} says in such a view. */
  static List<String> prefix(Path closed, Path folder, List<String> next) {
    var open = Stream.of("unshare", "-m", "sh", "-c", SCRIPT, "carillon-postgres");
    return Stream.of(open, Stream.of(closed.toString(), folder.toString()), next.stream())
        .flatMap(words -> words)
        .toList();
  }
}
