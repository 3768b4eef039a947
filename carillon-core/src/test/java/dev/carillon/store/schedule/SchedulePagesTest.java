package dev.carillon.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.schedule.SchedulePages.Effort;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pages of schedules hold all that was asked for, once, however little each may look at. */
@ExtendWith(EmbeddedPostgres.class)
class SchedulePagesTest {
  private static final List<String> TARGETS = List.of("bell", "bell", "bell", "gong", "Chime");

  private final Belfry belfry;
  private final ManualCarillon node;
  private final Database database;
  private int made;

  SchedulePagesTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node =
        belfry.node(
            builder -> builder.remoteTarget("bell").remoteTarget("gong").remoteTarget("Chime"));
    database = new Database(postgres);
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private void make(Gen any) {
    String key = any.oneOf("a", "B", "é", "0", "_", "%") + any.number(0, 99) + "-" + made++;
    ScheduleDraft draft =
        ScheduleDraft.named(key)
            .target(any.oneOf(TARGETS))
            .every(Duration.ofHours(1))
            .description(any.oneOf("", "Daily Report", "50% off", "a_b"));
    if (any.percent(30)) {
      draft = draft.tags(any.oneOf("red", "blue"));
    }
    if (any.percent(50)) {
      draft = draft.payload("n", any.number(1, 3));
    }
    node.schedules().create(draft);
    if (any.percent(20)) {
      node.schedules().pause(key, "for a while");
    }
    if (any.percent(15)) {
      node.schedules().retire(key);
    }
  }

  private static ScheduleFilter anyFilter(Gen any) {
    ScheduleFilter filter = ScheduleFilter.all();
    if (any.percent(30)) {
      filter = filter.status(any.oneOf(ScheduleStatus.values()));
    }
    if (any.percent(30)) {
      filter = filter.target(any.oneOf("bell", "gong", "nobody"));
    }
    if (any.percent(30)) {
      filter = filter.tag(any.oneOf("red", "blue", "green"));
    }
    if (any.percent(30)) {
      filter = filter.text(any.oneOf("REPORT", "%", "_", "chim", "b1", "é"));
    }
    if (any.percent(30)) {
      filter = filter.payload(Payload.of("n", any.number(1, 4)));
    }
    return filter;
  }

  private static boolean fits(Schedule schedule, ScheduleFilter filter) {
    String text = filter.text().orElse("").toLowerCase(Locale.ROOT);
    return filter
            .status()
            .map(schedule.status()::equals)
            .orElse(schedule.status() != ScheduleStatus.RETIRED)
        && filter.target().map(schedule.definition().target()::equals).orElse(true)
        && filter.tag().map(schedule.definition().tags()::contains).orElse(true)
        && (schedule.key()
                + "\n"
                + schedule.definition().target()
                + "\n"
                + schedule.definition().description())
            .toLowerCase(Locale.ROOT)
            .contains(text)
        && schedule
            .definition()
            .payload()
            .content()
            .entrySet()
            .containsAll(filter.payload().content().entrySet());
  }

  private List<Schedule> everything() {
    return belfry.psql().rows("select key from carillon.schedule order by key").stream()
        .map(key -> node.schedules().get(key).orElseThrow())
        .toList();
  }

  private List<String> pages(Effort effort, ScheduleFilter filter, int limit, Runnable between) {
    var pages = new SchedulePages(database, effort);
    var keys = new ArrayList<String>();
    Page<Schedule> page = pages.page(filter, Optional.empty(), limit, PayloadUse.INCLUDED);
    while (true) {
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      page.items().forEach(schedule -> keys.add(schedule.key()));
      if (page.next().isEmpty()) {
        return keys;
      }
      between.run();
      page = pages.page(filter, page.next(), limit, PayloadUse.INCLUDED);
    }
  }

  @Property(cases = 8)
  void the_pages_of_a_list_are_the_list(Gen any) {
    for (int count = any.number(5, 40); count > 0; count--) {
      make(any);
    }
    List<Schedule> all = everything();
    for (int i = 0; i < 15; i++) {
      ScheduleFilter filter = anyFilter(any);
      var effort = new Effort(any.number(0, 30), any.number(1, 10), any.number(3, 60));
      List<String> wanted =
          all.stream().filter(one -> fits(one, filter)).map(Schedule::key).toList();

      assertThat(pages(effort, filter, any.number(1, 12), () -> {}))
          .as("%s %s", filter, effort)
          .isEqualTo(wanted);
      assertThat(pages(Effort.USUAL, filter, 500, () -> {})).as("%s", filter).isEqualTo(wanted);
    }
  }

  @Property(cases = 4)
  void what_was_there_is_listed_once_while_more_comes(Gen any) {
    for (int count = any.number(10, 30); count > 0; count--) {
      make(any);
    }
    for (int i = 0; i < 4; i++) {
      ScheduleFilter filter = anyFilter(any);
      var effort = new Effort(any.number(0, 30), any.number(1, 10), any.number(3, 60));
      List<String> wanted =
          everything().stream().filter(one -> fits(one, filter)).map(Schedule::key).toList();

      List<String> listed = pages(effort, filter, any.number(1, 4), () -> make(any));

      assertThat(listed).as("%s", filter).doesNotHaveDuplicates().containsAll(wanted);
    }
  }

  @Test
  void a_page_without_a_find_still_says_where_to_go_on() {
    for (int i = 0; i < 10; i++) {
      node.schedules()
          .create(ScheduleDraft.named("k" + i).target("bell").every(Duration.ofHours(1)));
    }
    var pages = new SchedulePages(database, new Effort(0, 2, 4));

    Page<Schedule> page =
        pages.page(ScheduleFilter.all().text("k9"), Optional.empty(), 1, PayloadUse.INCLUDED);

    assertThat(page.items()).isEmpty();
    assertThat(page.next()).isPresent();
  }

  @Test
  void a_cursor_that_is_none_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.schedules().page(ScheduleFilter.all(), Optional.of("nonsense"), 5))
        .withMessage(
            "this is no cursor; use the one that came with the page before, or none to start"
                + " anew");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.schedules().page(ScheduleFilter.all(), Optional.empty(), 501))
        .withMessage("a page has from 1 to 500 items; was 501");
  }
}
