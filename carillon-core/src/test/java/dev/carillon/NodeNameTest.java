package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeNameTest {
  @TempDir Path folder;

  @Test
  void a_node_is_called_by_host_and_process() {
    assertThat(NodeName.of("belfry.example.org", 4711)).isEqualTo("belfry.example.org-4711");
    assertThat(NodeName.ofThisProcess()).endsWith("-" + ProcessHandle.current().pid());
  }

  @Test
  void the_kernel_knows_the_host_best() throws Exception {
    Path kernel = Files.writeString(folder.resolve("hostname"), "belfry\n");

    assertThat(NodeName.host(kernel, Map.of("HOSTNAME", "stale"))).isEqualTo("belfry");
  }

  @Test
  void where_the_kernel_does_not_say_the_environment_does() throws Exception {
    Path none = Files.writeString(folder.resolve("hostname"), "(none)\n");

    assertThat(NodeName.host(none, Map.of("HOSTNAME", "tower"))).isEqualTo("tower");
    assertThat(NodeName.host(folder.resolve("absent"), Map.of("COMPUTERNAME", "TOWER-1")))
        .isEqualTo("TOWER-1");
  }

  @Test
  void a_host_without_a_usable_name_gets_one_anyway() {
    assertThat(NodeName.host(folder.resolve("absent"), Map.of("HOSTNAME", " "))).isNotBlank();
  }

  @Test
  void the_longest_host_leaves_room_for_the_process() {
    assertThat(ScheduleLimits.actor(NodeName.of("x".repeat(300), Long.MAX_VALUE)))
        .endsWith("-" + Long.MAX_VALUE);
  }
}
