package dev.carillon.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangedBy;
import dev.carillon.server.secret.CipherKey;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.server.store.TargetStore.Removal;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class TargetStoreTest {
  private static final String CANARY = "canary-7f3a";

  private final String label = "bell-" + UUID.randomUUID();
  private final ChangedBy ada = new ChangedBy(Instant.parse("2026-03-01T00:00:00Z"), "ada");
  private final TargetSettings settings =
      TargetSettings.of(Map.of("url", "https://bells.example", "secret", CANARY));
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Database database;
  private final TargetStore targets;

  TargetStoreTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.remoteTarget(label));
    database = new Database(postgres);
    targets = new TargetStore(database, KeyRing.of(CipherKey.generate()));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  @Test
  void a_target_is_kept_with_its_settings() {
    StoredTarget target = targets.put(label, "http", settings, ada);

    assertThat(target.updated()).isEqualTo(ada);
    assertThat(targets.find(label)).contains(target);
    assertThat(targets.list()).contains(target);
    assertThat(target.settings().content()).containsEntry("secret", CANARY);
  }

  @Test
  void the_same_again_changes_nothing() {
    StoredTarget first = targets.put(label, "http", settings, ada);
    StoredTarget again = targets.put(label, "http", settings, new ChangedBy(ada.at(), "bob"));

    assertThat(again).isEqualTo(first);
    assertThat(audit()).extracting(AuditEntry::action).containsExactly("target.put");
  }

  @Test
  void a_change_is_refused_to_who_has_not_seen_the_last_one() {
    assertThat(targets.put(label, "noop", settings, ada, 7)).isEmpty();
    StoredTarget first = targets.put(label, "http", settings, ada, 0).orElseThrow();
    assertThat(targets.put(label, "log", settings, ada, 0)).isEmpty();
    StoredTarget second = targets.put(label, "log", settings, ada, first.revision()).orElseThrow();

    assertThat(second.revision()).isGreaterThan(first.revision());
    assertThat(targets.put(label, "noop", settings, ada, first.revision())).isEmpty();
    assertThat(targets.remove(label, ada, first.revision())).isEqualTo(Removal.STALE);
    assertThat(targets.find(label)).contains(second);
  }

  @Test
  void a_target_made_again_does_not_look_like_the_one_before() {
    StoredTarget first = targets.put(label, "http", settings, ada);
    assertThat(targets.remove(label, ada)).isEqualTo(Removal.REMOVED);

    assertThat(targets.put(label, "http", settings, ada).revision()).isNotEqualTo(first.revision());
  }

  @Test
  void a_target_of_a_schedule_stays() {
    targets.put(label, "http", settings, ada);
    node.schedules().create(ScheduleDraft.named("hourly").target(label).every(Duration.ofHours(1)));

    assertThat(targets.inUse(label)).isEqualTo(1);
    assertThat(targets.remove(label, ada)).isEqualTo(Removal.IN_USE);

    node.schedules().retire("hourly");
    assertThat(targets.inUse(label)).isZero();
    assertThat(targets.remove(label, ada)).isEqualTo(Removal.REMOVED);
    assertThat(targets.remove(label, ada)).isEqualTo(Removal.UNKNOWN);
    assertThat(targets.find(label)).isEmpty();
  }

  @Test
  void a_target_that_a_schedule_had_in_an_earlier_version_can_go() {
    targets.put(label, "http", settings, ada);
    node.carillon().targets().putRemote("gong");
    ScheduleDraft draft = ScheduleDraft.named("hourly").target(label).every(Duration.ofHours(1));
    node.schedules().upsert(draft);
    node.schedules().upsert(draft.target("gong"));

    assertThat(targets.remove(label, ada)).isEqualTo(Removal.REMOVED);
  }

  @Test
  void a_target_of_a_pending_run_stays() {
    targets.put(label, "http", settings, ada);
    node.runs().enqueue(RunDraft.of(label).in(Duration.ofDays(1)));

    assertThat(targets.hasRuns(label)).isTrue();
    assertThat(targets.remove(label, ada)).isEqualTo(Removal.IN_USE);
  }

  @Test
  void secrets_are_neither_shown_nor_in_the_audit() {
    StoredTarget target = targets.put(label, "http", settings, ada);
    targets.remove(label, ada);

    assertThat(target.toString()).contains("secret, url").doesNotContain(CANARY);
    assertThat(audit()).hasSize(2).noneMatch(entry -> entry.toString().contains(CANARY));
    assertThat(audit().get(0).details()).containsEntry("target", label);
    assertThat(audit().get(0).changedBy()).isEqualTo(ada);
  }

  @Test
  void a_text_that_cannot_be_stored_is_refused_and_found_nowhere() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> targets.put("a\0b", "http", settings, ada));
    assertThatIllegalArgumentException().isThrownBy(() -> TargetSettings.of(Map.of("url", "a\0b")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TargetSettings.of(Map.of("url", "x".repeat(70_000))))
        .withMessage("settings may have 65536 bytes of JSON; these have 70010");
    assertThat(targets.find("a\0b")).isEmpty();
    assertThat(targets.inUse("a\0b")).isZero();
    assertThat(targets.hasRuns("a\0b")).isFalse();
    assertThat(targets.remove("a\0b", ada)).isEqualTo(Removal.UNKNOWN);
  }

  private List<AuditEntry> audit() {
    return new AuditStore(database)
        .list(AuditFilter.all(), 100).stream()
            .filter(entry -> entry.action().startsWith("target."))
            .toList();
  }
}
