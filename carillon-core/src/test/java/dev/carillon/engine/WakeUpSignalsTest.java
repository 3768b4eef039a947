package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.store.jdbc.Announcements;
import dev.carillon.store.jdbc.StoreException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What was announced while nobody listened is looked for. */
@ExtendWith(EmbeddedPostgres.class)
class WakeUpSignalsTest {
  private static final EngineLoop[] WOKEN = {
    EngineLoop.PLANNING, EngineLoop.CLAIMING, EngineLoop.PULLING, EngineLoop.HEARTBEAT
  };

  private final DataSource postgres;
  private final Set<EngineLoop> woken = EnumSet.noneOf(EngineLoop.class);
  private final WakeUpSignals signals;

  WakeUpSignalsTest(DataSource postgres) {
    this.postgres = postgres;
    var wakeups = new Wakeups();
    for (EngineLoop loop : EngineLoop.values()) {
      wakeups.add(loop, () -> woken.add(loop));
    }
    signals = new WakeUpSignals(new Announcements(postgres), wakeups);
  }

  @AfterEach
  void close() {
    signals.close();
  }

  private void turn() {
    woken.clear();
    signals.run(Instant.EPOCH);
  }

  @Test
  void loops_look_once_when_listening_has_begun() {
    turn();
    assertThat(woken).contains(WOKEN);

    turn();
    assertThat(woken).isEmpty();
  }

  @Test
  void loops_look_again_when_the_connection_was_lost() {
    turn();
    new Psql(postgres)
        .execute(
            """
            select pg_terminate_backend(pid)
              from pg_stat_activity
             where query = 'listen carillon'
               and datname = current_database()
            """);
    assertThatThrownBy(this::turn).isInstanceOf(StoreException.class);

    turn();
    assertThat(woken).contains(WOKEN);
  }
}
