package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the contracts of other documents change and resume by one request, they do at once. */
@ExtendWith(EmbeddedPostgres.class)
class SavedAndResumedApiTest {
  private final Site site;
  private final Psql psql;

  SavedAndResumedApiTest(DataSource source) {
    site = new Site(source);
    psql = new Psql(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private List<String> actionsInTheLastTransaction(String key) {
    return psql.rows(
        """
        select audit.action
          from carillon.audit
          join carillon.schedule
            on schedule.id = audit.schedule_id
         where schedule.key = ?
           and audit.xmin::text = (select xmin::text from carillon.audit order by id desc limit 1)
         order by audit.id
        """,
        key);
  }

  private void upsert(String cron) {
    Answer saved =
        site.sendTo(
            "POST",
            "/schedules/upsert",
            """
            {"schedule_id": "bell", "workflow_id": "w", "version": 1, "user_id": "u", "target": "noop",
             "cron_expr": "%s", "timezone": "UTC"}
            """
                .formatted(cron));
    assertThat(saved.status()).as(saved.text()).isEqualTo(200);
  }

  @Test
  void registering_a_paused_schedule_anew() {
    upsert("0 * * * *");
    site.sendTo("POST", "/schedules/pause", "{\"schedule_id\": \"bell\", \"paused\": true}");
    upsert("30 * * * *");

    assertThat(site.get("/schedules/bell").at("/status")).isEqualTo("active");
    assertThat(actionsInTheLastTransaction("bell"))
        .containsExactly("schedule.changed", "schedule.resumed");
  }

  @Test
  void replacing_a_paused_job() {
    String jobs = "/api/v2/admin/cron/jobs/";
    String id =
        site.sendTo(
                "POST",
                "/api/v2/admin/cron/jobs",
                """
                {"jobKey": "job", "target": "noop", "scheduleType": "recurring",
                 "cronExpression": "0 * * * *", "timezone": "UTC"}
                """)
            .at("/id");
    site.sendTo("PATCH", jobs + id + "/pause", "{\"reason\": \"closed\"}");
    Answer next = site.sendTo("POST", jobs + id + "/new-version", "{\"target\": \"log\"}");

    assertThat(next.status()).as(next.text()).isEqualTo(201);
    assertThat(next.at("/status")).isEqualTo("active");
    assertThat(actionsInTheLastTransaction("job"))
        .containsExactly("schedule.changed", "schedule.resumed");
  }
}
