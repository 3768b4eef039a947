package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A schedule that this version cannot read, perhaps because a newer one wrote it. */
@ExtendWith(EmbeddedPostgres.class)
class UnreadableScheduleApiTest {
  private final Site site;
  private final Psql psql;

  UnreadableScheduleApiTest(DataSource source) {
    site = new Site(source);
    psql = new Psql(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void resuming_it_is_refused_with_what_to_do_first() {
    site.put("/schedules/odd", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    site.post("/schedules/odd/pause", "{\"reason\": \"why\"}");
    psql.execute(
        """
        update carillon.schedule_version
           set definition = '{"timing": {"cron": "@daily", "zone": "Mars/Base"}}'
        """);

    Answer answer = site.post("/schedules/odd/resume", "");

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("its definition cannot be read", "save it anew first");
  }
}
