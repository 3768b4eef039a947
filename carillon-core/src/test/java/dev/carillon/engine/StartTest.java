package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.Carillon;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.NodeInfo;
import dev.carillon.store.StoreException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

@ExtendWith(EmbeddedPostgres.class)
class StartTest {
  @Test
  void a_node_has_joined_when_start_returns(DataSource postgres) {
    try (var carillon = Carillon.builder().dataSource(postgres).nodeName("north").build().start()) {
      assertThat(carillon.nodes()).extracting(NodeInfo::name).containsExactly("north");
    }
  }

  @Test
  void a_database_that_cannot_be_reached_fails_the_start() {
    var nowhere = new PGSimpleDataSource();
    nowhere.setURL("jdbc:postgresql://127.0.0.1:1/nowhere");
    try (var carillon = Carillon.builder().dataSource(nowhere).build()) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(carillon::start)
          .withMessageStartingWith("connect: ");
    }
  }
}
