package dev.carillon.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.schedule.Change.Basis;
import dev.carillon.cli.schedule.Change.Field;
import dev.carillon.cli.schedule.Change.Kind;
import dev.carillon.cli.schedule.Change.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApplyPlanTest {
  @Test
  void targets_come_first_then_creates_then_changes_then_what_is_retired() {
    Map<String, Document> wanted = new LinkedHashMap<>();
    for (String key : List.of("c", "b", "a", "d")) {
      wanted.put(key, new Document("f.yaml", 1, Json.object().put("key", key), Map.of()));
    }
    Map<String, DryRunPreview> previews =
        Map.of(
            "a", preview(Kind.CHANGE),
            "b", preview(Kind.CREATE),
            "c", preview(Kind.CREATE),
            "d", preview(Kind.UNCHANGED));

    ApplyPlan applyPlan =
        ApplyPlan.of(
            new Definitions(
                Map.of("t", new Document("f.yaml", 1, Json.object().put("type", "noop"), Map.of())),
                Map.of(),
                Map.of(),
                wanted),
            Map.of(Resource.TARGET, Map.of("t", preview(Kind.CHANGE)), Resource.SCHEDULE, previews),
            Map.of("z", "\"1\"", "a", "\"1\"", "y", "\"1\""));

    assertThat(applyPlan.changes())
        .extracting(change -> change.kind() + " " + change.name())
        .containsExactly(
            "CHANGE target t",
            "CREATE c",
            "CREATE b",
            "CHANGE a",
            "RETIRE y",
            "RETIRE z",
            "UNCHANGED d");
    assertThat(applyPlan.work()).hasSize(6);
    assertThat(applyPlan.summary()).isEqualTo("2 to create, 2 to change, 2 to retire, 1 unchanged");
  }

  @Test
  void differences_are_told_as_deep_down_as_they_are() throws JsonProcessingException {
    assertThat(
            Difference.between(
                "/retry",
                Json.read(
                    "{\"attempts\":3,\"factor\":2.0,\"deep\":{\"a\":1},\"gone\":\"x\",\"n\":null}"),
                Json.read("{\"attempts\":5,\"factor\":2,\"deep\":{\"a\":2},\"new\":[1]}")))
        .extracting(Field::text)
        .containsExactly(
            "retry.attempts: 3 → 5",
            "retry.deep.a: 1 → 2",
            "retry.gone: x → (not set)",
            "retry.new: (not set) → 1");
  }

  @Test
  void the_server_says_what_the_fields_are_and_would_be() throws JsonProcessingException {
    DryRunPreview preview =
        DryRunPreview.read(
            Json.read(
                """
                {"result":"new_version","changedFields":["timing","retry","status"],"changes":[
                  {"field":"timing","from":{"cron":"0 2 * * *","zone":"UTC"},
                   "to":{"cron":"0 3 * * *","zone":"UTC"}},
                  {"field":"retry","from":{"attempts":3,"backoff":"PT90S"},"to":null}]}
                """),
            Optional.empty());

    assertThat(preview.kind()).isEqualTo(Kind.CHANGE);
    assertThat(preview.fields())
        .extracting(Field::text)
        .containsExactly(
            "timing.cron: 0 2 * * * → 0 3 * * *", "retry: attempts 3, backoff 1m30s → (not set)");
    assertThat(preview.notes()).containsExactly("it is retired, and fires again");
  }

  @Test
  void a_timing_of_another_kind_is_told_with_both_sides() throws JsonProcessingException {
    assertThat(
            Difference.between(
                "/timing",
                Json.read("{\"at\":\"2027-03-26T12:00:00Z\"}"),
                Json.read("{\"every\":\"PT1H\",\"anchor\":\"1970-01-01T00:00:00Z\"}")))
        .extracting(Field::text)
        .containsExactly("timing: at 2027-03-26T12:00:00Z → every 1h");
  }

  private static DryRunPreview preview(Kind kind) {
    return new DryRunPreview(kind, List.of(), List.of(), new Basis(Optional.empty(), false));
  }
}
