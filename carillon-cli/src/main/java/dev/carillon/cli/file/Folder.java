package dev.carillon.cli.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Finds the files of a folder that may hold definitions. What is hidden, what tools leave behind,
 * and the data folder of a server are passed over.
 */
final class Folder {
  private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");
  private static final Set<String> PASSED_OVER = Set.of("target", "node_modules");
  private static final String DATA_FOLDER_MARK = "admin-token";

  private Folder() {}

  /** Return the files below {@code folder}, called {@code name}: relative to it, in their order. */
  static List<Path> files(Path folder, String name) {
    var found = new ArrayList<Path>();
    try {
      Path root = folder.toRealPath();
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path below, BasicFileAttributes attributes) {
              return below.equals(root) || !isPassedOver(below)
                  ? FileVisitResult.CONTINUE
                  : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (isDefinition(file)) {
                found.add(root.relativize(file));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UnreadableException(
          "%s cannot be read: %s is not yours".formatted(name, e.getMessage()));
    }
    if (found.isEmpty()) {
      throw new UnreadableException("%s has no .yaml, .yml or .json file".formatted(name));
    }
    Collections.sort(found);
    return found;
  }

  private static boolean isPassedOver(Path folder) {
    return isHidden(folder)
        || PASSED_OVER.contains(folder.getFileName().toString())
        || Files.exists(folder.resolve(DATA_FOLDER_MARK));
  }

  private static boolean isDefinition(Path file) {
    return !isHidden(file)
        && ENDINGS.stream().anyMatch(file.toString()::endsWith)
        && Files.isRegularFile(file); // also by a link, as volumes of containers have them
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }
}
