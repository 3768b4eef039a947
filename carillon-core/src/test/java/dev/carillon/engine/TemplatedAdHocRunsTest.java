package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.RunDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.template.TemplateSyntaxException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Templates of runs without a schedule, and of payloads that dead letters are run again with. */
@ExtendWith(EmbeddedPostgres.class)
class TemplatedAdHocRunsTest {
  private static final Instant NIGHT = Instant.parse("2026-03-05T23:30:00Z");
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  private final Belfry belfry;
  private final ManualCarillon node;
  private final List<Payload> seen = new ArrayList<>();
  private int failures;

  TemplatedAdHocRunsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder ->
                builder
                    .target(
                        "bell",
                        context -> {
                          seen.add(context.payload());
                          if (failures-- > 0) {
                            throw new IllegalStateException("not yet");
                          }
                        })
                    .remoteTarget("press"));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static RunDraft dated() {
    return RunDraft.of("bell")
        .at(NIGHT)
        .payload(
            Map.of(
                "day", "${slot:yyyy-MM-dd}",
                "due", "${due}",
                "try", "${attempt}",
                "key", "${key}",
                "of", "run ${run}",
                "n", 5,
                "copy", "${payload.n}"));
  }

  private Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  private RunState state(RunId id) {
    return run(id).state();
  }

  @Test
  void the_payload_of_an_ad_hoc_run_is_filled_in_with_dates_in_the_zone_that_is_given() {
    RunId id = node.runs().enqueue(dated().template(ROME));
    node.pass(Duration.ofDays(5));

    assertThat(seen).hasSize(1);
    assertThat(seen.get(0).text("day")).contains("2026-03-06");
    assertThat(seen.get(0).text("due")).contains(NIGHT.toString());
    assertThat(seen.get(0).number("try")).contains(1L);
    assertThat(seen.get(0).content()).containsEntry("key", null).containsEntry("copy", 5L);
    assertThat(seen.get(0).text("of")).contains("run " + id);
    assertThat(run(id).payload().text("day")).contains("${slot:yyyy-MM-dd}");
  }

  @Test
  void without_a_zone_its_dates_are_in_utc_and_without_template_it_is_taken_as_it_is() {
    node.runs().enqueueAll(List.of(dated().template(), dated()));
    node.pass(Duration.ofDays(5));

    assertThat(seen)
        .extracting(payload -> payload.text("day").orElseThrow())
        .containsExactlyInAnyOrder("2026-03-05", "${slot:yyyy-MM-dd}");
  }

  @Test
  void each_retry_and_a_run_that_is_run_again_have_their_own_attempt() {
    failures = 3;
    RunId id = node.runs().enqueue(dated().template().retry(Retry.times(2)));
    node.pass(Duration.ofDays(5));
    node.runs().retry(id);
    node.pass(Duration.ofDays(1));

    assertThat(seen)
        .extracting(payload -> payload.number("try").orElseThrow())
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(state(id)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void runs_with_an_overlap_key_or_a_request_id_are_filled_in_too() {
    node.runs().enqueue(dated().template().overlapKey("one"));
    node.runs().enqueue(dated().template().requestId("two"));
    node.runs().enqueue(dated().template().requestId("two"));
    node.pass(Duration.ofDays(5));

    assertThat(seen)
        .extracting(payload -> payload.text("day").orElseThrow())
        .containsExactly("2026-03-05", "2026-03-05");
  }

  @Test
  void a_worker_is_given_it_filled_in() {
    node.runs().enqueue(RunDraft.of("press").payload("day", "${slot+1d:yyyy-MM-dd}").template());
    node.runDue();

    assertThat(
            node.carillon().pullWorkers().claim("anna", List.of("press"), 1, Duration.ofMinutes(1)))
        .singleElement()
        .satisfies(one -> assertThat(one.run().payload().text("day")).contains("2026-03-02"));
  }

  @Test
  void what_cannot_be_filled_in_is_refused_and_nothing_of_its_batch_is_stored() {
    RunDraft wrong = RunDraft.of("bell").payload("a", List.of("${slott}")).template();

    assertThatThrownBy(() -> node.runs().enqueueAll(List.of(dated(), wrong)))
        .isInstanceOf(TemplateSyntaxException.class)
        .hasMessageStartingWith("payload/a/0: at character 1: ${ is followed by 'slott'");
    assertThatThrownBy(
            () -> node.runs().enqueue(RunDraft.of("bell").template().payload("a", "${payload.b}")))
        .hasMessageContaining("the payload has no 'payload.b'; add it");
    assertThat(node.runs().list(RunFilter.all())).isEmpty();
  }

  @Test
  void a_payload_that_grows_too_large_is_refused() {
    var content = new LinkedHashMap<String, Object>();
    content.put("a", "x".repeat(150_000));
    content.put("b", "${payload.a}");

    assertThatThrownBy(() -> node.runs().enqueue(RunDraft.of("bell").payload(content).template()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("more than 262144 bytes");
  }

  private RunId dead(RunDraft draft) {
    failures = 1;
    RunId id = node.runs().enqueue(draft.at(belfry.clock().instant()));
    node.runDue();
    assertThat(state(id)).isEqualTo(RunState.FAILED);
    return id;
  }

  @Test
  void another_payload_for_dead_letters_is_checked_before_one_of_them_runs_again() {
    RunId plain = dead(dated());
    RunId template = dead(dated().template());
    Payload wrong = Payload.of("a", "${payload.b}");

    assertThatThrownBy(() -> node.runs().redrive(RunFilter.all().target("bell"), wrong))
        .isInstanceOf(TemplateSyntaxException.class)
        .hasMessageContaining("the payload has no 'payload.b'");
    assertThatThrownBy(() -> node.runs().redrive(List.of(plain, template), wrong))
        .isInstanceOf(TemplateSyntaxException.class);
    assertThat(List.of(state(plain), state(template)))
        .containsExactly(RunState.FAILED, RunState.FAILED);
  }

  @Test
  void the_check_is_about_templates_only() {
    RunId plain = dead(dated());
    Payload other = Payload.of("a", "${payload.b}");

    assertThat(node.runs().redrive(RunFilter.all().target("bell"), other)).isEqualTo(1);
    node.runDue();
    assertThat(state(plain)).isEqualTo(RunState.SUCCEEDED);
    assertThat(seen.get(1)).isEqualTo(other);
  }

  @Test
  void another_payload_is_filled_in_for_each_of_the_dead_letters() {
    RunId one = dead(dated().template());
    RunId two = dead(dated().template(ROME));

    assertThat(
            node.runs()
                .redrive(RunFilter.all().target("bell"), Payload.of("a", "${attempt}${run}")))
        .isEqualTo(2);
    node.runDue();
    assertThat(seen.subList(2, 4))
        .extracting(payload -> payload.text("a").orElseThrow())
        .containsExactlyInAnyOrder("2" + one, "2" + two);
  }
}
