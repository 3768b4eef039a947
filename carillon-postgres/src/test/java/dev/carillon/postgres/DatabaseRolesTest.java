package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.postgres.LocalPostgres.Login;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseRolesTest {
  @TempDir Path folder;

  @BeforeEach
  void prepare() {
    Prepared.in(folder);
  }

  @Test
  void neither_role_of_carillon_reaches_programs_or_files() throws Exception {
    try (var postgres = start()) {
      for (Login login : List.of(postgres.owner(), postgres.application())) {
        try (Connection connection = connect(postgres, login);
            var statement = connection.createStatement()) {
          for (String attack :
              List.of(
                  "copy (select 1) to program 'touch /tmp/carillon-was-here'",
                  "copy (select 1) to '/tmp/carillon-was-here'",
                  "select pg_read_file('/etc/passwd')",
                  "select lo_import('/etc/passwd')",
                  "create role intruder superuser login",
                  "alter role %s superuser".formatted(login.user()),
                  "set role carillon",
                  "alter system set max_connections = 1",
                  "load 'auto_explain'")) {
            assertThatThrownBy(() -> statement.execute(attack))
                .as("%s: %s", login, attack)
                .isInstanceOf(SQLException.class)
                .extracting(failure -> ((SQLException) failure).getSQLState())
                .isEqualTo("42501");
          }
        }
      }
    }
  }

  @Test
  void the_application_works_with_rows_of_what_the_owner_creates_and_changes_no_schema()
      throws Exception {
    try (var postgres = start();
        Connection owner = connect(postgres, postgres.owner());
        Connection application = connect(postgres, postgres.application());
        var change = owner.createStatement();
        var work = application.createStatement()) {
      change.execute("create schema carillon");
      change.execute("create table carillon.tone (id serial, name text)");
      work.execute("insert into carillon.tone (name) values ('c'), ('d')");
      work.execute("update carillon.tone set name = 'e' where name = 'd'");
      work.execute("delete from carillon.tone where name = 'c'");
      for (String refused :
          List.of(
              "drop table carillon.tone",
              "alter table carillon.tone add column more text",
              "truncate carillon.tone",
              "create table carillon.mine (id int)",
              "create table public.mine (id int)")) {
        assertThatThrownBy(() -> work.execute(refused)).hasMessageContaining("ERROR");
      }
    }
  }

  @Test
  void what_the_superuser_owned_in_an_earlier_version_is_handed_over() throws Exception {
    try (var postgres = start()) {
      Sql sql = Sql.on(postgres);
      sql.run("create schema carillon");
      sql.run("create table carillon.tone (id serial, at date) partition by range (at)");
      sql.run("create table carillon.tone_default partition of carillon.tone default");
      sql.run("create view carillon.tones as select * from carillon.tone");
      sql.run("create sequence carillon.number");
      sql.run("create function carillon.one() returns int language sql as 'select 1'");
      sql.run("create type carillon.mood as enum ('glad')");
    }
    try (var postgres = start();
        Connection owner = connect(postgres, postgres.owner());
        Connection application = connect(postgres, postgres.application());
        var change = owner.createStatement();
        var work = application.createStatement()) {
      work.execute("insert into carillon.tone (at) values (now())");
      work.execute("select nextval('carillon.number'), carillon.one() from carillon.tones");
      change.execute(
          "alter table carillon.tone_default add constraint future check (at > '2000-1-1')");
      change.execute("drop schema carillon cascade");
    }
    start().close();
  }

  @Test
  void clients_that_do_not_sign_in_are_put_out_soon_and_others_leave_room_for_carillon()
      throws Exception {
    try (var postgres = start()) {
      Sql.on(postgres).run("create role guest login password 'guest'");
      var guests = new ArrayList<Connection>();
      try {
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    guests.add(DriverManager.getConnection(postgres.jdbcUrl(), "guest", "guest"));
                  }
                })
            .hasMessageContaining("reserved");
        connect(postgres, postgres.owner()).close();
        connect(postgres, postgres.application()).close();
      } finally {
        for (Connection guest : guests) {
          guest.close();
        }
      }
      try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), postgres.port())) {
        silent.setSoTimeout(30_000);
        silent.getOutputStream().write(startup("guest"));
        byte[] answer = silent.getInputStream().readAllBytes();
        assertThat(answer[0]).isEqualTo((byte) 'R'); // asked for the password, and then cut off
      }
    }
  }

  private static byte[] startup(String user) {
    byte[] text = ("user\0" + user + "\0database\0carillon\0\0").getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + text.length)
        .putInt(8 + text.length)
        .putInt(3 << 16)
        .put(text)
        .array();
  }

  private LocalPostgres start() {
    return LocalPostgres.start(folder, "a test", step -> {});
  }

  private static Connection connect(LocalPostgres postgres, Login login) throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), login.user(), login.password());
  }
}
