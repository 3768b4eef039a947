package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreesTest {
  @Test
  void a_folder_that_two_delete_at_the_same_time_is_gone(@TempDir Path place)
      throws IOException, InterruptedException, ExecutionException {
    Path folder = Files.createDirectory(place.resolve("folder"));
    for (int i = 0; i < 2_000; i++) {
      Files.createFile(folder.resolve("file-" + i));
    }
    var threads = Executors.newFixedThreadPool(2);
    try {
      Callable<Boolean> delete =
          () -> {
            FileTrees.delete(folder);
            return true;
          };
      for (Future<Boolean> deleted : threads.invokeAll(Stream.of(delete, delete).toList())) {
        assertThat(deleted.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(folder).doesNotExist();
  }
}
