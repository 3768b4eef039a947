package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPostgresTest {
  @TempDir Path folder;

  @Test
  void a_second_start_finds_the_data_of_the_first() throws Exception {
    Prepared.in(folder);
    String password;
    try (var postgres = start()) {
      Sql.on(postgres).run("create table bell as select 'dong' as sound");
      password = postgres.password();
    }
    try (var postgres = start()) {
      assertThat(Sql.on(postgres).ask("select sound from bell")).isEqualTo("dong");
      assertThat(postgres.password()).isEqualTo(password);
    }
  }

  @Test
  void its_data_source_opens_connections() throws Exception {
    Prepared.in(folder);
    try (var postgres = start();
        var connection = postgres.dataSource().getConnection()) {
      assertThat(connection.getCatalog()).isEqualTo("carillon");
    }
  }

  @Test
  void whoever_may_read_the_folder_finds_the_server_that_runs_in_it() throws Exception {
    Prepared.in(folder);
    assertThat(LocalPostgres.running(folder)).isEmpty();
    try (var postgres = start()) {
      LocalPostgres.RunningServer found = LocalPostgres.running(folder).orElseThrow();

      assertThat(found.jdbcUrl()).isEqualTo(postgres.jdbcUrl());
      assertThat(found).asString().doesNotContain(postgres.password());
      DriverManager.getConnection(found.jdbcUrl(), found.owner().user(), found.owner().password())
          .close();
    }
    assertThat(LocalPostgres.running(folder)).isEmpty();
    assertThat(LocalPostgres.running(folder.resolve("none"))).isEmpty();
  }

  @Test
  void each_step_is_told_and_a_later_start_has_fewer() {
    Path data = folder.resolve("new/data");
    var first = new ArrayList<String>();
    var second = new ArrayList<String>();
    LocalPostgres.start(data, "a test", first::add).close();
    LocalPostgres.start(data, "a test", second::add).close();

    assertThat(first).endsWith("creating the database", "starting PostgreSQL 18.4");
    assertThat(second).containsExactly("starting PostgreSQL 18.4");
  }

  @Test
  void what_is_acknowledged_is_on_disk() {
    Prepared.in(folder);
    try (var postgres = start()) {
      var sql = Sql.on(postgres);
      assertThat(
              List.of("fsync", "full_page_writes", "synchronous_commit", "data_checksums").stream()
                  .map(setting -> sql.ask("show " + setting)))
          .containsOnly("on");
    }
  }

  @Test
  void settings_of_the_caller_win_over_the_usual_ones() {
    Prepared.in(folder);
    try (var postgres =
        LocalPostgres.start(folder, "a test", List.of("shared_buffers=40MB"), step -> {})) {
      assertThat(Sql.on(postgres).ask("show shared_buffers")).isEqualTo("40MB");
      assertThat(Sql.on(postgres).ask("show fsync")).isEqualTo("on");
    }
  }

  @Test
  void a_port_among_the_settings_is_the_same_at_each_start() {
    Prepared.in(folder);
    int port;
    try (var postgres = start()) {
      port = postgres.port();
    }
    for (int start = 1; start <= 2; start++) {
      try (var postgres =
          LocalPostgres.start(folder, "a test", List.of("port=" + port), step -> {})) {
        assertThat(postgres.port()).isEqualTo(port);
        assertThat(Sql.on(postgres).ask("show port")).isEqualTo(Integer.toString(port));
      }
    }
  }

  @Test
  void text_and_time_do_not_depend_on_the_machine() {
    Prepared.in(folder);
    try (var postgres = start()) {
      var sql = Sql.on(postgres);
      assertThat(sql.ask("show server_encoding")).isEqualTo("UTF8");
      assertThat(
              sql.ask(
                  """
                  select datlocprovider::text || ' ' || datlocale
                    from pg_database
                   where datname = current_database()
                  """))
          .isEqualTo("b C.UTF-8");
      assertThat(sql.ask("select upper('içi')")).isEqualTo("IÇI");
      assertThat(sql.ask("show log_timezone")).isEqualTo("UTC");
    }
  }

  @Test
  void only_this_machine_can_connect_and_only_with_the_password() throws Exception {
    Prepared.in(folder);
    try (var postgres = start()) {
      assertThatThrownBy(
              () -> DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), "guess"))
          .hasMessageContaining("password authentication failed");
      for (InetAddress address : addressesOfThisMachine()) {
        assertThatThrownBy(() -> new Socket(address, postgres.port()).close())
            .isInstanceOf(ConnectException.class);
      }
    }
  }

  @Test
  void secrets_are_closed_to_other_users() throws Exception {
    Prepared.in(folder);
    try (var postgres = start()) {
      assertThat(postgres.alive()).isTrue();
      assertThat(permissions(folder)).matches("rwx[-]{2}[-x][-]{3}");
      assertThat(permissions(folder.resolve("postgres"))).isEqualTo("rwx------");
      assertThat(permissions(folder.resolve("postgres.password"))).isEqualTo("rw-------");
      assertThat(permissions(folder.resolve("postgres.owner.password"))).isEqualTo("rw-------");
    }
  }

  @Test
  void a_lost_password_is_replaced() throws Exception {
    Prepared.in(folder);
    String lost;
    try (var postgres = start()) {
      lost = postgres.password();
    }
    Files.delete(folder.resolve("postgres.password"));
    try (var postgres = start()) {
      assertThat(postgres.password()).isNotEqualTo(lost);
      assertThat(Sql.on(postgres).ask("select 1")).isEqualTo("1");
    }
  }

  @Test
  void a_first_start_that_was_cut_short_is_made_good_by_the_next() throws Exception {
    Prepared.in(folder);
    Files.move(folder.resolve("postgres"), folder.resolve("postgres.unfinished-1"));
    try (var postgres = start()) {
      assertThat(postgres.alive()).isTrue();
      assertThat(folder.resolve("postgres.unfinished-1")).doesNotExist();
    }
  }

  @Test
  void closing_twice_is_fine_and_ends_the_server() {
    Prepared.in(folder);
    var postgres = start();
    postgres.close();
    postgres.close();

    assertThat(postgres.alive()).isFalse();
    assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
  }

  @Test
  void clients_that_are_still_connected_do_not_delay_the_end() throws Exception {
    Prepared.in(folder);
    var postgres = start();
    try (var client = Sql.connect(postgres)) {
      postgres.close();
      assertThat(client.isValid(1)).isFalse();
    }
  }

  @Test
  void a_long_log_is_put_aside_at_the_next_start() throws Exception {
    Prepared.in(folder);
    Path log = folder.resolve("postgres.log");
    Files.writeString(log, "x".repeat(1_000_001));
    start().close();

    assertThat(folder.resolve("postgres.log.1")).hasSize(1_000_001);
    assertThat(Files.size(log)).isLessThan(100_000);
  }

  @Test
  void a_temporary_server_leaves_nothing_behind() {
    var postgres = LocalPostgres.temporary();
    var sql = Sql.on(postgres);
    Path itsFolder = Path.of(sql.ask("show data_directory")).resolveSibling("");
    assertThat(sql.ask("show fsync")).isEqualTo("off");
    assertThat(itsFolder).exists();
    postgres.close();

    assertThat(itsFolder).doesNotExist();
  }

  @Test
  void a_disposable_server_is_durable_and_leaves_nothing_behind() {
    try (var postgres = LocalPostgres.disposable(folder, "a test", step -> {})) {
      assertThat(Sql.on(postgres).ask("show fsync")).isEqualTo("on");
      assertThat(Path.of(Sql.on(postgres).ask("show data_directory"))).startsWith(folder);
    }

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void any_database_can_be_addressed() {
    try (var postgres = LocalPostgres.temporary()) {
      Sql.on(postgres).run("create database chapel");
      assertThat(Sql.on(postgres, postgres.jdbcUrl("chapel")).ask("select current_database()"))
          .isEqualTo("chapel");
      assertThat(Sql.on(postgres).ask("select current_database()")).isEqualTo("carillon");
      assertThat(Sql.on(postgres).ask("show server_version")).isEqualTo(postgres.version());
    }
  }

  private LocalPostgres start() {
    return LocalPostgres.start(folder, "a test", step -> {});
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static List<InetAddress> addressesOfThisMachine() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .toList();
  }
}
