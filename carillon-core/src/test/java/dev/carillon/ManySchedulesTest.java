package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Payload;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Creating, listing, searching and retiring many schedules. */
@ExtendWith(EmbeddedPostgres.class)
class ManySchedulesTest {
  private final String tag = UUID.randomUUID().toString();
  private final List<Event> events = new ArrayList<>();
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final Instant now = Instant.parse("2026-03-01T10:00:30Z");
  private final Psql psql;
  private final Schedules schedules;

  ManySchedulesTest(DataSource postgres) {
    psql = new Psql(postgres);
    schedules =
        SchedulesOn.database(
            new Database(postgres),
            () -> now,
            Set.of("log", "noop"),
            events::add,
            wakeUps::incrementAndGet);
  }

  @Test
  void many_schedules_are_created_in_a_few_transactions() {
    long created = schedules.createAll(drafts(5_000));

    assertThat(created).isEqualTo(5_000);
    assertThat(events).hasSize(5_000);
    assertThat(wakeUps).hasValue(5);
    assertThat(
            psql.rows(
                """
                select count(distinct schedule.xmin::text), count(*), count(cursor.next_slot), count(audit.id)
                  from carillon.schedule
                  join carillon.schedule_version as version
                    on version.schedule_id = schedule.id and version.version = schedule.version
                  join carillon.cursor
                    on cursor.schedule_id = schedule.id
                  join carillon.audit
                    on audit.schedule_id = schedule.id
                 where version.tags = array[?::text]
                """,
                tag))
        .containsExactly("5 5000 5000 5000");
  }

  @Test
  void creating_many_leaves_taken_keys_alone_and_takes_the_first_of_twins() {
    schedules.createAll(drafts(10));

    long created =
        schedules.createAll(
            Stream.concat(
                    drafts(12).map(draft -> draft.description("second")),
                    drafts(12).map(draft -> draft.description("third")))
                .toList());

    assertThat(created).isEqualTo(2);
    assertThat(list(ScheduleFilter.all()))
        .extracting(schedule -> schedule.definition().description())
        .containsExactly("", "", "", "", "", "", "", "", "", "", "second", "second");
  }

  @Test
  void a_draft_that_is_refused_leaves_the_batches_before_it() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                schedules.createAll(
                    Stream.concat(
                        drafts(1_500), Stream.of(ScheduleDraft.named("bad").target("log")))))
        .withMessageStartingWith("schedule 'bad' has no timing");

    assertThat(
            psql.rows(
                "select count(*) from carillon.schedule_version where tags = array[?::text]", tag))
        .containsExactly("1000");
  }

  @Test
  void large_payloads_make_smaller_batches() {
    String large = "x".repeat(250_000);

    schedules.createAll(drafts(80).map(draft -> draft.payload("blob", large)));

    assertThat(wakeUps.get()).isBetween(2, 4);
  }

  @Test
  void creating_none_does_nothing() {
    assertThat(schedules.createAll(List.of())).isZero();
    assertThat(wakeUps).hasValue(0);
  }

  @Test
  void a_list_comes_in_pages_by_key() {
    schedules.createAll(drafts(25));

    List<String> keys = new ArrayList<>();
    ScheduleFilter page = ScheduleFilter.all().tag(tag).limit(10);
    for (List<Schedule> found = schedules.list(page); !found.isEmpty(); ) {
      found.forEach(schedule -> keys.add(schedule.key()));
      found = schedules.list(page.after(keys.get(keys.size() - 1)));
    }

    assertThat(keys).containsExactlyElementsOf(drafts(25).map(ScheduleDraft::key).toList());
  }

  @Test
  void a_list_is_narrowed_by_status_target_tag_and_text() {
    schedules.createAll(
        Stream.of(
            draft("a").description("Sends 100% of_it"),
            draft("b").target("noop"),
            draft("c"),
            draft("d")));
    schedules.pause(key("c"), "why");
    schedules.retire(key("d"));

    assertThat(keys(ScheduleFilter.all())).containsExactly("a", "b", "c");
    assertThat(keys(ScheduleFilter.all().status(ScheduleStatus.PAUSED))).containsExactly("c");
    assertThat(keys(ScheduleFilter.all().status(ScheduleStatus.RETIRED))).containsExactly("d");
    assertThat(keys(ScheduleFilter.all().target("noop"))).containsExactly("b");
    assertThat(keys(ScheduleFilter.all().text("SENDS 100% OF_"))).containsExactly("a");
    assertThat(keys(ScheduleFilter.all().text("100_"))).isEmpty();
    assertThat(keys(ScheduleFilter.all().text(tag + "-b"))).containsExactly("b");
    assertThat(keys(ScheduleFilter.all().text("\\"))).isEmpty();
    assertThat(schedules.list(ScheduleFilter.all().tag("no such tag"))).isEmpty();
  }

  @Test
  void schedules_are_found_by_what_their_payload_contains() {
    schedules.createAll(
        Stream.of(
            draft("a").payload(Map.of("instance", tag, "step", Map.of("n", 1, "m", 2))),
            draft("b").payload(Map.of("instance", tag, "list", List.of(1, 2))),
            draft("c").payload("instance", "other")));

    assertThat(schedules.list(ScheduleFilter.byPayload(Payload.of("instance", tag)))).hasSize(2);
    assertThat(
            schedules.list(
                ScheduleFilter.byPayload(
                    Payload.of(Map.of("instance", tag, "step", Map.of("n", 1))))))
        .extracting(Schedule::key)
        .containsExactly(key("a"));
    schedules.retire(key("a"));
    ScheduleFilter filter = ScheduleFilter.byPayload(Payload.of("instance", tag));
    assertThat(keys(filter)).containsExactly("b");
    assertThat(keys(filter.status(ScheduleStatus.RETIRED))).containsExactly("a");
    assertThat(keys(filter.text("no such text"))).isEmpty();
  }

  @Test
  void an_old_payload_does_not_find_a_schedule() {
    schedules.create(draft("a").payload("instance", tag));
    schedules.upsert(draft("a").payload("instance", "other"));

    assertThat(schedules.list(ScheduleFilter.byPayload(Payload.of("instance", tag)))).isEmpty();
  }

  @Test
  void all_that_match_are_retired_together() {
    schedules.createAll(
        IntStream.range(0, 1_200)
            .mapToObj(i -> draft("r%04d".formatted(i)).payload("instance", tag)));
    schedules.create(draft("other"));
    schedules.pause(key("r0007"), "why");
    events.clear();

    assertThat(schedules.as("ada").retireAll(ScheduleFilter.byPayload(Payload.of("instance", tag))))
        .isEqualTo(1_200);

    assertThat(keys(ScheduleFilter.all())).containsExactly("other");
    assertThat(events)
        .hasSize(1_200)
        .allMatch(
            event ->
                event instanceof Event.Changed changed
                    && changed.action().equals("schedule.retired")
                    && changed.actor().equals("ada"));
    assertThat(schedules.retireAll(ScheduleFilter.byPayload(Payload.of("instance", tag)))).isZero();
  }

  @Test
  void retiring_all_needs_a_filter() {
    String refusal =
        "retiring all schedules needs a filter; name a payload, target, tag, text or status, or use"
            + " findAll";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.retireAll(ScheduleFilter.byPayload(Payload.EMPTY)))
        .withMessage(refusal);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedules.retireAll(ScheduleFilter.all().after("a").limit(3)))
        .withMessage(refusal);
  }

  @Test
  void a_page_is_bounded() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScheduleFilter.all().limit(501))
        .withMessage("limit must be from 1 to 500; was 501; page with after");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScheduleFilter.all().text("\0"))
        .withMessage(
            "text must not hold \\u0000 or half of a surrogate pair; nothing stored has them");
  }

  private Stream<ScheduleDraft> drafts(int count) {
    return IntStream.range(0, count).mapToObj(i -> draft("%05d".formatted(i)));
  }

  private ScheduleDraft draft(String name) {
    return ScheduleDraft.named(key(name)).target("log").every(Duration.ofSeconds(60)).tags(tag);
  }

  private String key(String name) {
    return tag + "-" + name;
  }

  private List<Schedule> list(ScheduleFilter filter) {
    return schedules.list(filter.tag(tag).limit(500));
  }

  private List<String> keys(ScheduleFilter filter) {
    return list(filter).stream().map(found -> found.key().substring(tag.length() + 1)).toList();
  }
}
