package dev.carillon.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.schedule.ScheduleChanges;
import dev.carillon.store.schedule.ScheduleStore;
import dev.carillon.time.Cron;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class PayloadSearchTest {
  private final Database database;

  PayloadSearchTest(DataSource postgres) {
    database = new Database(postgres);
  }

  @Test
  void the_search_by_payload_is_planned_by_its_index() {
    Map<String, Definition> definitions = new HashMap<>();
    for (int i = 0; i < 3_000; i++) {
      definitions.put("key" + i, definition(Payload.of("instance", i)));
    }
    database.inTransaction(
        tx ->
            new ScheduleChanges(tx)
                .create(definitions, new ChangedBy(Instant.parse("2026-03-01T00:00:00Z"), "test")));
    database.script("analyze", "analyze carillon.schedule_version");

    List<String> plan =
        database.query(
            "explain",
            "explain " + ScheduleStore.BY_PAYLOAD,
            bind ->
                bind.set("payload", "{\"instance\": 7}")
                    .set("after", null)
                    .set("status", null)
                    .set("completed", null)
                    .set("target", null)
                    .set("tag", null)
                    .set("text", null)
                    .set("payloads", true)
                    .set("scope", null)
                    .set("limit", 50),
            row -> row.text("QUERY PLAN"));

    assertThat(plan).anyMatch(line -> line.contains("schedule_version_payload"));
  }

  private static Definition definition(Payload payload) {
    var definition = new Definition.Builder("log", Cron.parse("@daily"));
    definition.payload = payload;
    return definition.build();
  }
}
