-- Partitions of the history are made and dropped by functions that run as the owner of the schema, so that a role
-- which may change rows but not tables can have them.

create function carillon.create_history_partition(week date) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  name constant text := 'history_' || to_char(week, 'YYYYMMDD');
  beginning constant timestamptz := week::timestamp at time zone 'UTC';
  ending constant timestamptz := (week + 7)::timestamp at time zone 'UTC';
begin
  if extract(isodow from week) <> 1 then
    raise exception 'a partition of the history begins on a Monday' using errcode = '22023';
  end if;
  -- against another node that creates the same partition
  lock table carillon.history_default in access exclusive mode;
  if to_regclass('carillon.' || name) is not null then
    return;
  end if;
  execute format('create table carillon.%I (like carillon.history including defaults including constraints)', name);
  execute format(
    'with moved as (delete from carillon.history_default where slot >= $1 and slot < $2 returning *)
     insert into carillon.%I select * from moved', name)
    using beginning, ending;
  execute format('alter table carillon.history attach partition carillon.%I for values from (%L) to (%L)',
                 name, beginning, ending);
  execute format('comment on table carillon.%I is %L', name, 'Finished runs of the slots of one week.');
end
$$;

comment on function carillon.create_history_partition is
  'Makes the partition of the history for a week, which begins on a Monday, unless it exists.';

create function carillon.drop_history_partition(week date) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('drop table if exists carillon.%I', 'history_' || to_char(week, 'YYYYMMDD'));
end
$$;

comment on function carillon.drop_history_partition is 'Drops the partition of the history for a week.';
