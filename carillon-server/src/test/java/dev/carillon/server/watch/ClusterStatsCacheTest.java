package dev.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.TestClock;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class ClusterStatsCacheTest {
  private final TestClock clock = TestClock.at("2026-03-01T00:00:00Z");
  private final AtomicInteger asked = new AtomicInteger();
  private final ManualCarillon carillon;

  ClusterStatsCacheTest(DataSource source) {
    carillon = ManualCarillon.on(source).clock(clock).start();
  }

  @AfterEach
  void close() {
    carillon.close();
  }

  @Test
  void a_database_that_does_not_answer_is_not_asked_by_everybody_in_turn() {
    var stats =
        new ClusterStatsCache(
            carillon.carillon(), new Database(down()), new DatabaseMonitor("x", Optional::empty));

    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(StoreException.class).isThrownBy(stats::take);
    }
    assertThat(asked).hasValue(1);

    clock.advance(Duration.ofSeconds(1));
    assertThatExceptionOfType(StoreException.class).isThrownBy(stats::take);
    assertThat(asked).hasValue(2);
  }

  private DataSource down() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              asked.incrementAndGet();
              throw new SQLException("down", "08001");
            });
  }
}
