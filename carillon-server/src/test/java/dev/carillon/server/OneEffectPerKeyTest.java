package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.FaultProxy;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.server.KeyedPosts.Post;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A request that is sent again with its {@code Idempotency-Key} has the effect of one. */
@ExtendWith(EmbeddedPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OneEffectPerKeyTest {
  private static final int MAX_COMMITS = 10;
  private static final int MORE_THAN_A_BATCH = 520;
  private final FaultProxy proxy;
  private final Site site;
  private final Site direct;
  private final Psql psql;

  OneEffectPerKeyTest(PostgresServer server) {
    String database = server.createMigrated();
    proxy = FaultProxy.before(server.port());
    site = new Site(proxy.dataSource(server, database));
    direct = new Site(server.pool(database));
    psql = new Psql(server.pool(database));
  }

  @AfterAll
  void close() {
    site.close();
    direct.close();
    proxy.close();
  }

  @BeforeEach
  void passAll() {
    proxy.swallowNothing();
  }

  static Stream<Post> posts() {
    return KeyedPosts.all().stream();
  }

  private static String name() {
    return "k-" + UUID.randomUUID();
  }

  /* How many rows there are that a request can add, and how often one was changed. */
  private List<Long> effects() {
    return Stream.of(
            "select count(*) from carillon.schedule",
            "select count(*) from carillon.schedule_version",
            "select count(*) from carillon.schedule where status = 'active'",
            "select count(*) from carillon.any_run",
            "select count(*) from carillon.run",
            "select count(*) from carillon.run where state = 'running'",
            "select coalesce(sum(attempt), 0) from carillon.any_run",
            "select count(*) from carillon.dismissal",
            "select count(*) from carillon.ping",
            "select count(*) from carillon.calendar_version",
            "select count(*) from carillon.quiet_hours_version",
            "select count(*) from carillon.replan",
            "select count(*) from carillon.api_token",
            "select count(*) from carillon.audit")
        .map(sql -> Long.parseLong(psql.rows(sql).get(0)))
        .toList();
  }

  private List<Long> since(List<Long> before) {
    List<Long> now = effects();
    var added = new ArrayList<Long>();
    for (int i = 0; i < now.size(); i++) {
      added.add(now.get(i) - before.get(i));
    }
    return added;
  }

  /* Which fields the answer has. */
  private static Set<String> shape(Answer answer) {
    var names = new TreeSet<String>();
    if (!answer.text().isEmpty()) {
      collect(answer.json(), "", names);
    }
    return names;
  }

  private static void collect(JsonNode node, String at, Set<String> names) {
    node.properties()
        .forEach(
            field -> {
              names.add(at + "/" + field.getKey());
              collect(field.getValue(), at + "/" + field.getKey(), names);
            });
  }

  private static boolean isShownOnce(Post post) {
    return post.operation().equals("createToken");
  }

  @ParameterizedTest
  @MethodSource("posts")
  void a_request_whose_commit_was_not_acknowledged_is_done_once(Post post) {
    Request usual = post.prepare(site, name());
    List<Long> before = effects();
    Answer undisturbed = site.send(usual);
    assertThat(undisturbed.status()).as(undisturbed.text()).isBetween(200, 204);
    List<Long> one = since(before);
    assertThat(one).isNotEqualTo(Collections.nCopies(one.size(), 0L));

    for (int commit = 0; ; commit++) {
      assertThat(commit).isLessThan(MAX_COMMITS);
      Request request = post.prepare(site, name());
      List<Long> first = effects();
      int lost = proxy.swallowed();
      proxy.swallowCommitAfter(commit);
      Answer unknown = site.send(request);
      proxy.swallowNothing();
      if (proxy.swallowed() == lost) {
        assertThat(commit).isPositive();
        return;
      }
      assertThat(unknown.status()).as(unknown.text()).isEqualTo(503);

      Answer again = site.send(request);
      assertThat(since(first)).as("%s, commit %s", post, commit).isEqualTo(one);
      if (isShownOnce(post)) {
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.at("/type")).endsWith("answer-not-kept");
        assertThat(again.headers()).containsKey("Location");
      } else {
        assertThat(again.status()).as(again.text()).isEqualTo(undisturbed.status());
        assertThat(shape(again)).isEqualTo(shape(undisturbed));
        Answer third = site.send(request);
        assertThat(third.text()).isEqualTo(again.text());
        assertThat(third.headers()).containsEntry("Idempotency-Replayed", "true");
      }
      assertThat(since(first)).isEqualTo(one);
    }
  }

  @ParameterizedTest
  @MethodSource("posts")
  void twenty_at_once_are_done_once(Post post) throws Exception {
    Request usual = post.prepare(direct, name());
    List<Long> before = effects();
    int status = direct.send(usual).status();
    List<Long> one = since(before);

    Request request = post.prepare(direct, name());
    List<Long> first = effects();
    int callers = 20;
    var together = new CyclicBarrier(callers);
    var threads = Executors.newFixedThreadPool(callers);
    try {
      Callable<Answer> call =
          () -> {
            together.await();
            return direct.send(request);
          };
      int done = 0;
      for (Future<Answer> answer : threads.invokeAll(Collections.nCopies(callers, call))) {
        int got = answer.get().status();
        assertThat(got).as(answer.get().text()).isIn(status, 409);
        done += got == status ? 1 : 0;
      }
      assertThat(done).isPositive();
    } finally {
      threads.shutdown();
    }
    assertThat(since(first)).isEqualTo(one);
    assertThat(direct.send(request).status()).isEqualTo(isShownOnce(post) ? 409 : status);
    assertThat(since(first)).isEqualTo(one);
  }

  @ParameterizedTest
  @MethodSource("posts")
  void the_key_of_another_request_is_refused(Post post) {
    Request request = post.prepare(direct, name());
    direct.send(request);
    List<Long> before = effects();

    Answer other = direct.send(request.body("{\"other\": true}"));

    assertThat(other.status()).as(other.text()).isEqualTo(422);
    assertThat(other.at("/type")).endsWith("idempotency-key-reused");
    assertThat(since(before)).isEqualTo(Collections.nCopies(before.size(), 0L));
  }

  @Test
  void a_change_of_many_goes_on_where_it_stopped_with_what_it_found_at_first() {
    String tag = name();
    List<ScheduleDraft> drafts =
        IntStream.range(0, MORE_THAN_A_BATCH)
            .mapToObj(i -> ScheduleDraft.named(tag + i).target("noop").cron("0 3 * * *").tags(tag))
            .toList();
    direct.carillon.schedules().createAll(drafts);
    Request request =
        site.request(
                "POST",
                "/schedules/bulk",
                "{\"action\": \"run\", \"reason\": \"r\", \"expect\": %s, \"filter\": {\"tag\": \"%s\"}}"
                    .formatted(MORE_THAN_A_BATCH, tag))
            .header("Idempotency-Key", tag);
    for (int commit = 0; runsOf(tag) == 0; commit++) {
      proxy.swallowCommitAfter(commit);
      assertThat(site.send(request).status()).isEqualTo(503);
    }
    proxy.swallowNothing();
    assertThat(runsOf(tag)).isEqualTo(500);
    direct
        .carillon
        .schedules()
        .create(ScheduleDraft.named(tag + "later").target("noop").cron("0 3 * * *").tags(tag));

    Answer again = site.send(request);

    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertThat(again.at("/matched")).isEqualTo(String.valueOf(MORE_THAN_A_BATCH));
    assertThat(again.at("/schedules")).isEqualTo(String.valueOf(MORE_THAN_A_BATCH));
    assertThat(again.json().at("/first")).hasSize(10);
    assertThat(runsOf(tag)).isEqualTo(MORE_THAN_A_BATCH);
    assertThat(
            psql.rows(
                "select details->>'schedules' from carillon.audit where action ="
                    + " 'schedules.running' and details->>'tag' = ?",
                tag))
        .containsExactly(String.valueOf(MORE_THAN_A_BATCH));
  }

  @Test
  void a_redrive_of_many_goes_on_where_it_stopped_and_leaves_what_failed_again_alone() {
    String word = name();
    direct
        .carillon
        .runs()
        .enqueueAll(Collections.nCopies(MORE_THAN_A_BATCH, RunDraft.of("fail").correlation(word)));
    direct.carillon.runDue();
    assertThat(attemptsOf(word)).isEqualTo(MORE_THAN_A_BATCH);
    Request request =
        site.request(
                "POST",
                "/dead-letters/redrive",
                "{\"expect\": %s, \"filter\": {\"correlation\": \"%s\"}}"
                    .formatted(MORE_THAN_A_BATCH, word))
            .header("Idempotency-Key", word);
    for (int commit = 0; pendingOf(word) == 0; commit++) {
      proxy.swallowCommitAfter(commit);
      assertThat(site.send(request).status()).isEqualTo(503);
    }
    proxy.swallowNothing();
    assertThat(pendingOf(word)).isEqualTo(500);
    direct.clock.advance(Duration.ofSeconds(10));
    direct.carillon.runDue(); // they fail once more

    Answer again = site.send(request);

    assertThat(again.status()).as(again.text()).isEqualTo(202);
    assertThat(again.at("/redriven")).isEqualTo(String.valueOf(MORE_THAN_A_BATCH));
    direct.carillon.runDue();
    assertThat(site.send(request).text()).isEqualTo(again.text());
    direct.carillon.runDue();
    assertThat(attemptsOf(word)).isEqualTo(2 * MORE_THAN_A_BATCH);
  }

  private int attemptsOf(String word) {
    return Integer.parseInt(
        psql.rows("select sum(attempt) from carillon.any_run where correlation = ?", word).get(0));
  }

  private int pendingOf(String word) {
    return Integer.parseInt(
        psql.rows("select count(*) from carillon.run where correlation = ?", word).get(0));
  }

  private int runsOf(String tag) {
    return Integer.parseInt(
        psql.rows(
                "select count(*) from carillon.run join carillon.schedule on schedule.id ="
                    + " run.schedule_id where trigger = 'manual' and starts_with(key, ?)",
                tag)
            .get(0));
  }

  @Test
  void every_post_is_tested_here_or_needs_no_key() {
    var known = new TreeSet<>(KeyedPosts.EXEMPT.keySet());
    KeyedPosts.all().forEach(post -> known.add(post.operation()));

    assertThat(
            site.routes.stream()
                .filter(route -> route.method().equals("POST"))
                .map(Route::operation))
        .containsExactlyInAnyOrderElementsOf(known);
  }
}
