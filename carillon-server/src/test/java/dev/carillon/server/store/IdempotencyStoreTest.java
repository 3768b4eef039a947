package dev.carillon.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.server.store.IdempotencyStore.Answer;
import dev.carillon.server.store.IdempotencyStore.Request;
import dev.carillon.server.store.IdempotencyStore.Standing;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class IdempotencyStoreTest {
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final Duration MEMORY = Duration.ofDays(1);
  private static final Answer ANSWER =
      new Answer(201, Map.of("Location", "/runs/1"), "{\"id\": \"1\"}");

  private final Instant now = Instant.parse("2026-03-01T00:00:00Z");
  private final String key = UUID.randomUUID().toString();
  private final Psql psql;
  private final Database database;
  private final IdempotencyStore store = new IdempotencyStore();

  IdempotencyStoreTest(DataSource postgres) {
    psql = new Psql(postgres);
    database = new Database(postgres);
  }

  private Request request(String letter) {
    return new Request("ada", key, letter.repeat(64));
  }

  private Standing standing(Request request, Instant at) {
    return database.inTransaction(tx -> store.begin(tx, request, at, IDLE));
  }

  private boolean answer(Optional<String> before, Instant at) {
    return database.inTransaction(
        tx -> store.answer(tx, request("a"), before, ANSWER, at, at.plus(MEMORY)));
  }

  private boolean advance(Optional<String> before, String after) {
    return database.inTransaction(
        tx -> store.advance(tx, request("a"), before, after, now, now.plus(MEMORY)));
  }

  private static Standing open() {
    return new Standing.Open(Optional.empty());
  }

  @Test
  void a_repeated_request_gets_the_first_answer() {
    assertThat(standing(request("a"), now)).isEqualTo(open());
    assertThat(answer(Optional.empty(), now)).isTrue();

    assertThat(standing(request("a"), now.plusSeconds(5))).isEqualTo(new Standing.Answered(ANSWER));
  }

  @Test
  void what_was_rolled_back_left_no_key() {
    database.rehearse(
        tx -> store.answer(tx, request("a"), Optional.empty(), ANSWER, now, now.plus(MEMORY)));

    assertThat(standing(request("a"), now)).isEqualTo(open());
  }

  @Test
  void a_request_that_is_being_done_is_not_begun_again_until_its_transaction_ends() {
    database.inTransaction(
        tx -> {
          assertThat(store.begin(tx, request("a"), now, IDLE)).isEqualTo(open());
          assertThat(standing(request("a"), now)).isEqualTo(new Standing.Busy());
          return true;
        });

    assertThat(standing(request("a"), now)).isEqualTo(open());
  }

  @Test
  void the_key_of_another_request_is_taken() {
    advance(Optional.empty(), "half");
    assertThat(standing(request("b"), now)).isEqualTo(new Standing.Taken());
    answer(Optional.of("half"), now);

    assertThat(standing(request("b"), now)).isEqualTo(new Standing.Taken());
  }

  @Test
  void two_owners_may_use_the_same_key() {
    answer(Optional.empty(), now);

    assertThat(standing(new Request("bob", key, "a".repeat(64)), now)).isEqualTo(open());
  }

  @Test
  void who_comes_second_changes_nothing() {
    assertThat(answer(Optional.empty(), now)).isTrue();

    assertThat(answer(Optional.empty(), now)).isFalse();
    assertThat(advance(Optional.empty(), "half")).isFalse();
  }

  @Test
  void a_request_in_batches_goes_on_from_where_it_is() {
    assertThat(advance(Optional.empty(), "one")).isTrue();
    assertThat(standing(request("a"), now)).isEqualTo(new Standing.Open(Optional.of("one")));
    assertThat(advance(Optional.of("one"), "two")).isTrue();

    assertThat(advance(Optional.of("one"), "two")).isFalse();
    assertThat(answer(Optional.of("one"), now)).isFalse();
    assertThat(answer(Optional.of("two"), now)).isTrue();
    assertThat(standing(request("a"), now)).isEqualTo(new Standing.Answered(ANSWER));
  }

  @Test
  void what_a_node_of_an_earlier_version_answers_is_left_to_it_for_its_minute() {
    psql.execute(
        "insert into carillon.idempotency (owner, key, request_hash, reservation, reserved_until,"
            + " expires_at) values ('ada', ?, ?, gen_random_uuid(), ?, ?)",
        key,
        "a".repeat(64),
        now.plusSeconds(60),
        now.plus(MEMORY));
    assertThat(standing(request("a"), now)).isEqualTo(new Standing.Busy());
    assertThat(answer(Optional.empty(), now)).isFalse();

    assertThat(standing(request("a"), now.plusSeconds(60))).isEqualTo(open());
    assertThat(answer(Optional.empty(), now.plusSeconds(60))).isTrue();
  }

  @Test
  void an_answer_is_forgotten_after_a_while_and_its_row_goes() {
    answer(Optional.empty(), now);
    assertThat(standing(request("a"), now.plus(MEMORY).minusSeconds(1)))
        .isInstanceOf(Standing.Answered.class);
    assertThat(standing(request("b"), now.plus(MEMORY))).isEqualTo(open());
    assertThat(answer(Optional.empty(), now.plus(MEMORY))).isTrue();

    Request other = new Request("bob", UUID.randomUUID().toString(), "c".repeat(64));
    Instant later = now.plus(MEMORY).plus(MEMORY);
    database.inTransaction(
        tx -> store.answer(tx, other, Optional.empty(), ANSWER, later, later.plus(MEMORY)));
    assertThat(psql.rows("select key from carillon.idempotency where key = ?", key)).isEmpty();
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
