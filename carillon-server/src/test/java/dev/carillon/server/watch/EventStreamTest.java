package dev.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.EventSink;
import dev.carillon.server.web.Role;
import dev.carillon.store.jdbc.Database;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class EventStreamTest {
  private static final EventSubscriber.Wanted ALL =
      new EventSubscriber.Wanted(Optional.empty(), Optional.empty(), Optional.empty());

  private final TestClock clock = TestClock.at("2026-03-01T00:00:00Z");
  private final DataSource source;
  private final ManualCarillon carillon;
  private final EventStream stream;

  EventStreamTest(DataSource source) {
    this.source = source;
    carillon = ManualCarillon.on(source).clock(clock).target("noop", context -> {}).start();
    stream = new EventStream(carillon.carillon(), new Database(source)).start();
  }

  @AfterEach
  void close() {
    stream.close();
    carillon.close();
  }

  /** A client that keeps what it is sent, until it is stuck. */
  private static final class Client implements EventSink {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile boolean stuck;
    private volatile boolean ended;

    @Override
    public boolean send(String text) {
      told.add(text);
      return !stuck && !ended;
    }

    @Override
    public void end() {
      ended = true;
    }
  }

  private static Caller caller(String name) {
    return new Caller(name, Role.VIEWER, "token", name);
  }

  private Client joined(String caller) {
    var client = new Client();
    stream.join(caller(caller), client, ALL);
    Await.until("a message", () -> !client.told.isEmpty() || client.ended);
    return client;
  }

  private void change(String key) {
    carillon
        .carillon()
        .schedules()
        .upsert(ScheduleDraft.named(key).target("noop").every(Duration.ofHours(1)));
  }

  @Test
  void so_many_may_listen_and_no_more_until_one_is_gone() {
    var clients = new ArrayList<Client>();
    for (int i = 0; i < EventStream.MAX_LISTENERS; i++) {
      clients.add(joined("caller-" + i % 50));
    }
    assertThat(stream.full()).isTrue();
    assertThat(joined("one-more").ended).isTrue();

    clients.get(0).stuck = true;
    change("bell-of-the-stuck");
    Await.until("a free stream", () -> !stream.full());

    Client next = joined("one-more");
    assertThat(next.ended).isFalse();
    change("bell-of-the-next");
    Await.until(
        "the change", () -> next.told.stream().anyMatch(text -> text.contains("bell-of-the-next")));
    assertThat(clients.get(0).told).noneMatch(text -> text.contains("bell-of-the-next"));
  }

  @Test
  void no_caller_takes_all_streams() {
    var clients = new ArrayList<Client>();
    for (int i = 0; i < EventStream.MAX_OF_ONE; i++) {
      clients.add(joined("ann"));
    }
    assertThat(stream.fullFor(caller("ann").identity())).isTrue();
    assertThat(joined("ann").ended).isTrue();
    assertThat(stream.fullFor(caller("bob").identity())).isFalse();
    assertThat(joined("bob").ended).isFalse();

    clients.get(0).stuck = true;
    change("bell-of-ann");
    Await.until("a free stream", () -> !stream.fullFor(caller("ann").identity()));
    assertThat(joined("ann").ended).isFalse();
  }

  @Test
  void while_nothing_is_written_only_that_is_asked() {
    var wiretap = new Wiretap(source);
    try (var byHand = new EventStream(carillon.carillon(), new Database(wiretap.dataSource()))) {
      var client = new Client();
      byHand.join(caller("ann"), client, ALL);
      Await.until("a message", () -> !client.told.isEmpty());
      byHand.turn();

      long before = wiretap.statements();
      byHand.turn();
      byHand.turn();
      assertThat(wiretap.statements() - before).isEqualTo(2);

      change("bell");
      byHand.turn();
      assertThat(client.told).anyMatch(text -> text.contains("bell"));

      before = wiretap.statements();
      clock.advance(Duration.ofSeconds(6));
      byHand.turn();
      assertThat(wiretap.statements() - before).isGreaterThan(2);
    }
  }

  @Test
  void closing_ends_every_stream() {
    Client client = joined("ann");

    stream.close();

    assertThat(client.ended).isTrue();
    var late = new Client();
    stream.join(caller("ann"), late, ALL);
    assertThat(late.ended).isTrue();
  }
}
