package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.json.Json;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Workflow;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.workflow.WorkflowStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class WorkflowsTest {
  private final Belfry belfry;
  private final WorkflowStore store;
  private final Schedules schedules;
  private final Workflows workflows;

  WorkflowsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    store = new WorkflowStore(new Database(postgres));
    Carillon carillon = belfry.node(builder -> builder.target("noop", run -> {})).carillon();
    schedules = carillon.schedules();
    workflows = carillon.workflows(WorkflowsTest::hourly);
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /* The graphs here name the target of each trigger. */
  private static List<ScheduleDraft> hourly(Workflow workflow) {
    return Json.readObject(workflow.dag()).entrySet().stream()
        .map(
            trigger ->
                ScheduleDraft.named(Workflows.key(workflow.id(), trigger.getKey()))
                    .target(String.valueOf(trigger.getValue()))
                    .every(Duration.ofHours(1))
                    .payload("version", workflow.version()))
        .toList();
  }

  private ScheduleStatus status(String key) {
    return schedules.get(key).map(Schedule::status).orElseThrow();
  }

  @Test
  void a_refused_schedule_undoes_the_deployment() {
    assertThatExceptionOfType(RefusedDraftException.class)
        .isThrownBy(() -> workflows.deploy("half", 1, "{\"a\": \"noop\", \"b\": \"nowhere\"}"))
        .satisfies(refused -> assertThat(refused.key()).isEqualTo("workflow:half:b"));
    assertThat(store.find("half", 1)).isEmpty();
    assertThat(schedules.get("workflow:half:a")).isEmpty();
  }

  @Test
  void who_deploys_is_who_changes_the_schedules() {
    workflows.as("ada").deploy("signed", 1, "{\"a\": \"noop\"}");

    assertThat(schedules.get("workflow:signed:a").orElseThrow().updated().by()).isEqualTo("ada");
    assertThat(store.find("signed", 1).orElseThrow().deployed().by()).isEqualTo("ada");
  }

  @Test
  void a_removed_workflow_retires_its_schedules_and_no_others() {
    workflows.deploy("one", 1, "{\"a\": \"noop\"}");
    workflows.deploy("one:a", 1, "{\"a\": \"noop\"}");

    Workflows.Removal removal = workflows.remove("one").orElseThrow();

    assertThat(removal.schedules())
        .singleElement()
        .satisfies(changeResult -> assertThat(changeResult.change()).isEqualTo(Change.RETIRED));
    assertThat(status("workflow:one:a")).isEqualTo(ScheduleStatus.RETIRED);
    assertThat(status("workflow:one%3Aa:a")).isEqualTo(ScheduleStatus.ACTIVE);
    assertThat(workflows.remove("one")).isEmpty();
    assertThat(workflows.remove("one", 1)).isEmpty();
  }

  @Test
  void versions_deployed_at_once_leave_the_schedules_of_the_highest() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 10; round++) {
        String id = "race" + round;
        List<Callable<Workflows.Deployment>> both =
            List.of(
                () -> workflows.deploy(id, 1, "{\"old\": \"noop\", \"both\": \"noop\"}"),
                () -> workflows.deploy(id, 2, "{\"new\": \"noop\", \"both\": \"noop\"}"));
        for (Future<Workflows.Deployment> done : threads.invokeAll(both)) {
          done.get();
        }

        assertThat(store.schedulesUnder(Workflows.prefix(id)))
            .containsExactly("workflow:" + id + ":both", "workflow:" + id + ":new");
        assertThat(
                schedules
                    .get("workflow:" + id + ":both")
                    .orElseThrow()
                    .definition()
                    .payload()
                    .number("version"))
            .contains(2L);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
