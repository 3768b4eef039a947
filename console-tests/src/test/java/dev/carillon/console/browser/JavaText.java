package dev.carillon.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Java that the console hands out. */
final class JavaText {
  private static final String AROUND =
      """
      import dev.carillon.*;
      import dev.carillon.model.*;
      import dev.carillon.policy.*;
      import dev.carillon.time.*;
      import dev.carillon.time.business.*;
      import java.time.*;

      class Copied {
        void save(Carillon carillon) {
      %s
        }
      }
      """;

  private JavaText() {}

  /** Return what the compiler says about statements that use {@code carillon}. */
  static List<String> complaints(String statements) {
    var heard = new DiagnosticCollector<JavaFileObject>();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(heard, null, null)) {
      Path folder = Files.createTempDirectory("copied-java");
      Path file = Files.writeString(folder.resolve("Copied.java"), AROUND.formatted(statements));
      compiler
          .getTask(
              null,
              files,
              heard,
              List.of("-proc:none", "-d", folder.toString()),
              null,
              files.getJavaFileObjects(file))
          .call();
      Folders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return heard.getDiagnostics().stream().map(one -> one.getMessage(null)).toList();
  }
}
