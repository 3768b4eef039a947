package dev.carillon.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.server.store.IdempotencyStore.Answer;
import dev.carillon.server.store.IdempotencyStore.Request;
import dev.carillon.server.store.IdempotencyStore.Reserved;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class IdempotencyStoreTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration MEMORY = Duration.ofDays(1);
  private static final Answer ANSWER =
      new Answer(201, Map.of("Location", "/runs/1"), "{\"id\": \"1\"}");

  private final Instant now = Instant.parse("2026-03-01T00:00:00Z");
  private final String key = UUID.randomUUID().toString();
  private final Psql psql;
  private final IdempotencyStore store;

  IdempotencyStoreTest(DataSource postgres) {
    psql = new Psql(postgres);
    store = new IdempotencyStore(new Database(postgres));
  }

  private Request request(String letter) {
    return new Request("ada", key, letter.repeat(64));
  }

  private Reserved reserve(Instant at) {
    return store.reserve(request("a"), at, PATIENCE, MEMORY);
  }

  private Reserved.Mine mine(Instant at) {
    return (Reserved.Mine) reserve(at);
  }

  @Test
  void a_repeated_request_gets_the_first_answer() {
    assertThat(store.fill(mine(now), ANSWER)).isTrue();

    assertThat(reserve(now.plusSeconds(5))).isEqualTo(new Reserved.Answered(ANSWER));
  }

  @Test
  void a_request_that_is_being_answered_is_not_done_twice() {
    mine(now);

    assertThat(reserve(now.plusSeconds(5))).isEqualTo(new Reserved.Busy());
  }

  @Test
  void the_key_of_another_request_is_taken() {
    Reserved.Mine first = mine(now);
    assertThat(store.reserve(request("b"), now, PATIENCE, MEMORY)).isEqualTo(new Reserved.Taken());
    store.fill(first, ANSWER);

    assertThat(store.reserve(request("b"), now.plus(PATIENCE), PATIENCE, MEMORY))
        .isEqualTo(new Reserved.Taken());
  }

  @Test
  void two_owners_may_use_the_same_key() {
    store.fill(mine(now), ANSWER);

    assertThat(store.reserve(new Request("bob", key, "a".repeat(64)), now, PATIENCE, MEMORY))
        .isInstanceOf(Reserved.Mine.class);
  }

  @Test
  void a_released_key_is_free() {
    store.release(mine(now));

    assertThat(reserve(now)).isInstanceOf(Reserved.Mine.class);
  }

  @Test
  void another_takes_over_from_who_died_and_the_dead_change_nothing() {
    Reserved.Mine dead = mine(now);
    Reserved.Mine heir = mine(now.plus(PATIENCE));

    assertThat(store.fill(dead, new Answer(500, Map.of(), "late"))).isFalse();
    store.release(dead);
    assertThat(store.fill(heir, ANSWER)).isTrue();
    assertThat(store.fill(heir, ANSWER)).isFalse();
    assertThat(reserve(now.plus(PATIENCE))).isEqualTo(new Reserved.Answered(ANSWER));
  }

  @Test
  void an_answer_is_forgotten_after_a_while_and_its_row_goes() {
    store.fill(mine(now), ANSWER);
    assertThat(reserve(now.plus(MEMORY).minusSeconds(1))).isInstanceOf(Reserved.Answered.class);

    store.reserve(
        new Request("bob", UUID.randomUUID().toString(), "c".repeat(64)),
        now.plus(MEMORY),
        PATIENCE,
        MEMORY);
    assertThat(psql.rows("select key from carillon.idempotency where key = ?", key)).isEmpty();
    assertThat(store.reserve(request("b"), now.plus(MEMORY), PATIENCE, MEMORY))
        .isInstanceOf(Reserved.Mine.class);
  }

  @Test
  void of_many_at_once_one_gets_the_key() throws Exception {
    int callers = 8;
    var together = new CyclicBarrier(callers);
    var pool = Executors.newFixedThreadPool(callers);
    try {
      Callable<Reserved> call =
          () -> {
            together.await();
            return reserve(now);
          };
      var answers = new ArrayList<Reserved>();
      for (Future<Reserved> answer : pool.invokeAll(Collections.nCopies(callers, call))) {
        answers.add(answer.get());
      }
      assertThat(answers).filteredOn(Reserved.Mine.class::isInstance).hasSize(1);
      assertThat(answers).filteredOn(Reserved.Busy.class::isInstance).hasSize(callers - 1);
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void what_is_no_key_is_refused() {
    for (String bad : List.of("", "a\0b", "x".repeat(256))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Request("ada", bad, "a".repeat(64)))
          .withMessage("an idempotency key has 1 to 255 characters");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new Request("ada", key, "abc"));
  }
}
