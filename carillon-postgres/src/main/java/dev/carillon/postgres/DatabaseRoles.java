package dev.carillon.postgres;

import dev.carillon.postgres.LocalPostgres.Login;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The roles of the database {@code carillon}: one owns the schema and changes it, one works with
 * its rows. Neither is a superuser, so neither can reach files or programs of the machine.
 */
final class DatabaseRoles {
  static final String OWNER = "carillon_owner";
  static final String APPLICATION = "carillon_app";

  private static final String CREATE =
      """
      do $$
      begin
        if not exists (select from pg_roles where rolname = '%1$s') then
          create role %1$s;
        end if;
        alter role %1$s
          login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '%2$s';
        grant pg_use_reserved_connections to %1$s;
      end
      $$
      """;

  /* What the owner creates from now on is open to the application. */
  private static final String GRANT =
      """
      alter default privileges for role %1$s grant usage on schemas to %2$s;
      alter default privileges for role %1$s grant select, insert, update, delete on tables to %2$s;
      alter default privileges for role %1$s grant usage on sequences to %2$s;
      alter database carillon owner to %1$s;
      """;

  /* Data folders of versions without these roles have objects that the superuser owns. */
  private static final String HAND_OVER =
      """
      do $$
      declare
        command text;
      begin
        for command in
          select format('alter schema %%I owner to %1$s', nspname)
            from pg_namespace
           where nspname = 'carillon'
             and nspowner <> '%1$s'::regrole
           union all
          select format('alter %%s %%s owner to %1$s',
                        case relkind when 'v' then 'view' when 'm' then 'materialized view'
                                     when 'S' then 'sequence' else 'table' end,
                        pg_class.oid::regclass)
            from pg_class
           where relnamespace = to_regnamespace('carillon')
             and relkind in ('r', 'p', 'v', 'm', 'S')
             and relowner <> '%1$s'::regrole
             and not exists (select
                               from pg_depend
                              where pg_depend.objid = pg_class.oid
                                and pg_class.relkind = 'S'
                                and pg_depend.deptype in ('a', 'i'))
           union all
          select format('alter routine %%s owner to %1$s', pg_proc.oid::regprocedure)
            from pg_proc
           where pronamespace = to_regnamespace('carillon')
             and proowner <> '%1$s'::regrole
           union all
          select format('alter type %%s owner to %1$s', pg_type.oid::regtype)
            from pg_type
           where typnamespace = to_regnamespace('carillon')
             and typtype in ('e', 'd')
             and typowner <> '%1$s'::regrole
        loop
          execute command;
        end loop;
        if to_regnamespace('carillon') is not null then
          grant usage on schema carillon to %2$s;
          grant select, insert, update, delete on all tables in schema carillon to %2$s;
          grant usage on all sequences in schema carillon to %2$s;
        end if;
      end
      $$
      """;

  private DatabaseRoles() {}

  /** Create the roles or give them these passwords, and hand them what they need. */
  static void prepare(Connection superuser, Login owner, Login application) throws SQLException {
    superuser.setAutoCommit(false);
    try (var statement = superuser.createStatement()) {
      statement.execute(CREATE.formatted(owner.user(), owner.password()));
      statement.execute(CREATE.formatted(application.user(), application.password()));
      statement.execute(GRANT.formatted(owner.user(), application.user()));
      statement.execute(HAND_OVER.formatted(owner.user(), application.user()));
      superuser.commit();
    }
  }
}
