package dev.carillon.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** A shop on Spring Boot, whose data source takes part in the transactions of its caller. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(300)
class SpringBootTest {
  private final PGSimpleDataSource database;
  private final Psql psql;
  private final ConfigurableApplicationContext shop;
  private final Carillon carillon;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transactions;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    @Bean
    static BeanPostProcessor transactionAware() {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          return bean instanceof DataSource pool ? new TransactionAwareDataSourceProxy(pool) : bean;
        }
      };
    }

    @Bean
    LinkedBlockingQueue<Event.Finished> ends() {
      return new LinkedBlockingQueue<>();
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    Carillon carillon(
        DataSource source,
        JdbcTemplate jdbc,
        TransactionTemplate transactions,
        LinkedBlockingQueue<Event.Finished> ends) {
      var self = new CompletableFuture<Carillon>();
      Carillon carillon =
          Carillon.builder()
              .dataSource(source)
              .target("ship", context -> {})
              .target(
                  "order",
                  context ->
                      transactions.executeWithoutResult(
                          status -> {
                            jdbc.update("insert into orders values ('by a handler')");
                            self.join()
                                .schedules()
                                .upsert(
                                    ScheduleDraft.named("by a handler")
                                        .target("ship")
                                        .in(Duration.ofDays(1)));
                            status.setRollbackOnly();
                          }))
              .transactionalTarget(
                  "confirm",
                  (context, connection) -> {
                    try (var statement = connection.createStatement()) {
                      statement.execute("insert into orders values ('confirmed')");
                    }
                  })
              .listener(
                  event -> {
                    if (event instanceof Event.Finished finished) {
                      ends.add(finished);
                    }
                  })
              .build();
      self.complete(carillon);
      return carillon;
    }
  }

  SpringBootTest(PostgresServer server) {
    database = (PGSimpleDataSource) server.dataSource(server.createMigrated());
    psql = new Psql(database);
    psql.execute("create table orders (name text)");
    shop =
        new SpringApplicationBuilder(Shop.class)
            .properties(
                Map.of(
                    "spring.main.banner-mode",
                    "off",
                    "spring.main.register-shutdown-hook",
                    "false",
                    "spring.main.log-startup-info",
                    "false",
                    "spring.datasource.url",
                    database.getUrl(),
                    "spring.datasource.username",
                    database.getUser(),
                    "spring.datasource.password",
                    database.getPassword()))
            .run();
    carillon = shop.getBean(Carillon.class);
    jdbc = shop.getBean(JdbcTemplate.class);
    transactions = shop.getBean(TransactionTemplate.class);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @BeforeEach
  void is_transaction_aware() {
    assertThat(shop.getBean(DataSource.class)).isInstanceOf(TransactionAwareDataSourceProxy.class);
  }

  private void order(Runnable work) {
    transactions.executeWithoutResult(
        status -> {
          jdbc.update("insert into orders values ('refused')");
          work.run();
          throw new IllegalStateException("no money");
        });
  }

  @Test
  void an_order_whose_transaction_fails_is_gone_whatever_was_asked_of_carillon_meanwhile() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                order(
                    () -> {
                      String before =
                          jdbc.queryForObject("select txid_current()::text", String.class);
                      carillon
                          .schedules()
                          .upsert(
                              ScheduleDraft.named("ship").target("ship").in(Duration.ofDays(1)));
                      carillon.runs().enqueue(RunDraft.of("ship").in(Duration.ofDays(1)));
                      carillon.schedules().get("ship");
                      carillon.nodes();
                      assertThat(jdbc.queryForObject("select txid_current()::text", String.class))
                          .isEqualTo(before);
                    }))
        .withMessage("no money");

    assertThat(psql.rows("select name from orders")).isEmpty();
    assertThat(carillon.schedules().get("ship")).isPresent();
  }

  @Test
  void a_failure_of_carillon_leaves_the_transaction_of_the_caller_as_it_was() {
    transactions.executeWithoutResult(
        status -> {
          jdbc.update("insert into orders values ('accepted')");
          try {
            carillon
                .schedules()
                .create(ScheduleDraft.named("no").target("nowhere").every(Duration.ofDays(1)));
          } catch (IllegalArgumentException unknownTarget) {
            jdbc.update("insert into orders values ('anyway')");
          }
        });

    assertThat(psql.rows("select name from orders")).containsExactly("accepted", "anyway");
  }

  @Test
  void work_on_the_connection_of_the_caller_exists_if_its_transaction_commits() {
    var ids = new ArrayList<RunId>();
    assertThatIllegalStateException()
        .isThrownBy(() -> order(() -> ids.add(enqueueHere())))
        .withMessage("no money");
    assertThat(carillon.runs().get(ids.get(0))).isEmpty();

    RunId accepted = transactions.execute(status -> enqueueHere());

    assertThat(carillon.runs().get(accepted)).isPresent();
  }

  private RunId enqueueHere() {
    var connection = DataSourceUtils.getConnection(jdbc.getDataSource());
    return carillon.runs().enqueue(connection, RunDraft.of("ship").in(Duration.ofDays(1)));
  }

  @Test
  void handlers_work_in_transactions_of_spring_and_of_carillon() throws InterruptedException {
    @SuppressWarnings("unchecked")
    LinkedBlockingQueue<Event.Finished> ends = shop.getBean(LinkedBlockingQueue.class);
    carillon.runs().enqueue(RunDraft.of("order"));
    carillon.runs().enqueue(RunDraft.of("confirm"));
    for (int i = 0; i < 2; i++) {
      Event.Finished end = ends.poll(60, TimeUnit.SECONDS);
      assertThat(end).isNotNull();
      assertThat(end.state()).isEqualTo(RunState.SUCCEEDED);
    }

    assertThat(psql.rows("select name from orders")).containsExactly("confirmed");
    assertThat(carillon.schedules().get("by a handler")).isPresent();
  }
}
