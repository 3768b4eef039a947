package dev.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Scope;
import dev.carillon.server.store.TargetStore;
import dev.carillon.testing.ManualCarillon;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class TargetLabelsTest {
  private static TargetCatalog counting(AtomicInteger refreshes) {
    return new TargetCatalog() {
      @Override
      public TargetStore store() {
        throw new IllegalStateException("there is none");
      }

      @Override
      public void refresh() {
        refreshes.incrementAndGet();
      }

      @Override
      public Optional<Map<String, Object>> builtIn(String label, boolean whole) {
        return Optional.empty();
      }

      @Override
      public boolean isOfOthers(String label) {
        return false;
      }

      @Override
      public void testBuiltIn(String label, Payload payload, Consumer<TargetTestReport> done) {
        done.accept(TargetTestReport.notTested("there is none"));
      }

      @Override
      public Optional<Failure> missing(String label) {
        return Optional.empty();
      }
    };
  }

  @Test
  void however_many_labels_are_unknown_they_are_looked_for_once(DataSource source) {
    var looked = new AtomicInteger();
    try (var carillon = ManualCarillon.on(source).target("here", context -> {}).start()) {
      var known = new TargetLabels(carillon.carillon().targets(), counting(looked));

      assertThat(known.forWorkers(List.of("a", "b", "here"), Scope.ALL))
          .hasSize(3)
          .last()
          .isEqualTo("nodes do this themselves; workers fetch runs of targets of type worker");
      assertThat(looked).hasValue(1);
      assertThat(known.forWorkers(List.of("here"), Scope.ALL)).hasSize(1);
      assertThat(looked).hasValue(1);
    }
  }
}
