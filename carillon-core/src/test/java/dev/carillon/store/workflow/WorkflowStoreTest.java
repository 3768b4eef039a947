package dev.carillon.store.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Page;
import dev.carillon.model.Workflow;
import dev.carillon.model.WorkflowVersion;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.workflow.WorkflowChanges.Change;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class WorkflowStoreTest {
  private static final String DAG = "{\"nodes\": [{\"id\": \"a\"}]}";

  private final ChangedBy ada = new ChangedBy(Instant.parse("2026-03-01T00:00:00Z"), "ada");
  private final ChangedBy bob = new ChangedBy(Instant.parse("2026-03-02T00:00:00Z"), "bob");
  private final Psql psql;
  private final Database database;
  private final WorkflowStore workflows;

  WorkflowStoreTest(DataSource postgres) {
    psql = new Psql(postgres);
    database = new Database(postgres);
    workflows = new WorkflowStore(database);
  }

  private WorkflowChanges.Deployed deploy(String id, int version, String dag, ChangedBy by) {
    return database.inTransaction(tx -> new WorkflowChanges(tx).deploy(id, version, dag, by));
  }

  private boolean remove(String id, int version, ChangedBy by) {
    return database.inTransaction(tx -> new WorkflowChanges(tx).remove(id, version, by));
  }

  @BeforeEach
  void empty() {
    psql.execute("truncate carillon.workflow, carillon.audit");
  }

  @Test
  void a_deployed_workflow_is_found_by_version() {
    WorkflowChanges.Deployed deployed = deploy("bill", 1, DAG, ada);

    assertThat(deployed.change()).isEqualTo(Change.DEPLOYED);
    assertThat(deployed.workflow().dag()).isEqualTo(DAG);
    assertThat(deployed.workflow().deployed()).isEqualTo(ada);
    assertThat(workflows.find("bill", 1)).contains(deployed.workflow());
    assertThat(workflows.find("bill", 2)).isEmpty();
    assertThat(workflows.find("b\0", 1)).isEmpty();
  }

  @Test
  void the_same_again_changes_nothing() {
    Workflow first = deploy("bill", 1, DAG, ada).workflow();

    WorkflowChanges.Deployed again = deploy("bill", 1, "{\"nodes\":[{\"id\":\"a\"}]}", bob);

    assertThat(again).isEqualTo(new WorkflowChanges.Deployed(first, Change.UNCHANGED));
    assertThat(audit()).containsExactly("workflow.deployed");
  }

  @Test
  void a_version_can_get_another_graph() {
    deploy("bill", 1, DAG, ada);

    assertThat(deploy("bill", 1, "{}", bob).change()).isEqualTo(Change.REPLACED);
    assertThat(workflows.find("bill", 1).orElseThrow().dag()).isEqualTo("{}");
  }

  @Test
  void the_latest_version_is_the_highest_that_is_not_removed() {
    deploy("bill", 2, DAG, ada);
    deploy("bill", 10, DAG, ada);
    deploy("bill", 1, DAG, bob);
    assertThat(workflows.latest("bill").orElseThrow().version()).isEqualTo(10);

    assertThat(remove("bill", 10, bob)).isTrue();
    assertThat(remove("bill", 10, bob)).isFalse();

    assertThat(workflows.latest("bill").orElseThrow().version()).isEqualTo(2);
    assertThat(workflows.find("bill", 10).orElseThrow().removed()).contains(bob);
    assertThat(workflows.versions("bill"))
        .extracting(WorkflowVersion::version)
        .containsExactly(10, 2, 1);
    assertThat(workflows.latest("nobody")).isEmpty();
  }

  @Test
  void a_removed_version_can_be_deployed_again() {
    deploy("bill", 1, DAG, ada);
    remove("bill", 1, ada);

    WorkflowChanges.Deployed again = deploy("bill", 1, DAG, bob);

    assertThat(again.change()).isEqualTo(Change.DEPLOYED);
    assertThat(again.workflow().removed()).isEmpty();
    assertThat(audit())
        .containsExactly("workflow.deployed", "workflow.removed", "workflow.deployed");
  }

  @Test
  void workflows_are_listed_by_page_in_their_highest_version() {
    for (String id : List.of("a", "b", "c", "d")) {
      deploy(id, 1, DAG, ada);
      deploy(id, 2, DAG, ada);
    }
    remove("b", 2, ada);
    remove("c", 1, ada);
    remove("c", 2, ada);

    Page<String> first = workflows.page(Optional.empty(), 2).map(one -> one.id() + one.version());
    Page<String> second = workflows.page(first.next(), 2).map(one -> one.id() + one.version());

    assertThat(first.items()).containsExactly("a2", "b1");
    assertThat(second.items()).containsExactly("d2");
    assertThat(second.next()).isEmpty();
  }

  @Test
  void what_is_no_workflow_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deploy("bill", 0, DAG, ada))
        .withMessage("versions count from 1; was 0");
    assertThatIllegalArgumentException().isThrownBy(() -> deploy("", 1, DAG, ada));
    assertThatIllegalArgumentException().isThrownBy(() -> deploy("bill", 1, "[]", ada));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deploy("bill", 1, "{\"a\": \"\\u0000\"}", ada));
  }

  private List<String> audit() {
    return new AuditStore(database)
        .list(AuditFilter.all(), 100).stream().map(AuditEntry::action).toList();
  }
}
