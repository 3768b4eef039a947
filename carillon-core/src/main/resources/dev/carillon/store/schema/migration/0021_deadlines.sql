-- A row per run that must be finished by a time. Runs without a deadline have none and pay nothing; a run that ends does
-- not touch its row, which is judged once, when its time has come, by what is recorded of the run then.
create table carillon.deadline (
  schedule_id bigint      not null,
  slot        timestamptz not null,
  ordinal     smallint    not null default 0,
  version     integer     not null,
  at          timestamptz not null,
  escalate_to text        not null,
  primary key (schedule_id, slot, ordinal),
  constraint deadline_target_length check (length(escalate_to) between 1 and 200)
);
create index deadline_at on carillon.deadline (at);
comment on table carillon.deadline is
  'By when runs must be finished, and the target of the run that says so if they are not; until they are judged.';
comment on column carillon.deadline.version is
  'The version of the schedule that set it: a run of the same slot that another version planned has another deadline, or none.';

-- Who escalates to a target: few schedules do, and the others are in no index.
create index schedule_version_deadline on carillon.schedule_version ((definition -> 'deadline' ->> 'escalateTo'))
 where retired_at is null and definition -> 'deadline' ->> 'escalateTo' is not null;
create index schedule_version_expect on carillon.schedule_version ((definition -> 'expect' ->> 'escalateTo'))
 where retired_at is null and definition -> 'expect' ->> 'escalateTo' is not null;

-- A row per schedule that is expected to succeed now and then. A run that succeeds does not touch it: when it is to be
-- looked at, the history is asked for the last success.
create table carillon.expectation (
  schedule_id  bigint      primary key,
  check_at     timestamptz not null,
  last_success timestamptz,
  last_slot    timestamptz,
  silent_since timestamptz,
  constraint expectation_success_has_its_slot check ((last_success is null) = (last_slot is null))
) with (fillfactor = 50);
create index expectation_check_at on carillon.expectation (check_at);
create index expectation_silent on carillon.expectation (silent_since) where silent_since is not null;
comment on table carillon.expectation is 'Schedules that are expected to succeed at least so often, and those that are silent.';
comment on column carillon.expectation.check_at is 'When to look whether it has been silent for too long, or is no longer.';
comment on column carillon.expectation.last_slot is 'The slot of the last success, from which the next look at the history begins.';
comment on column carillon.expectation.silent_since is 'When it was found silent for too long; null while it is not.';

-- Work that runs elsewhere and pings when it begins and ends.
create table carillon.ping_check (
  key          text        primary key,
  expect       jsonb       not null,
  escalate_to  text,
  description  text        not null default '',
  tags         text[]      not null default '{}',
  created_at   timestamptz not null,
  created_by   text        not null,
  updated_at   timestamptz not null,
  updated_by   text        not null,
  last_start   timestamptz,
  last_success timestamptz,
  last_fail    timestamptz,
  check_at     timestamptz not null,
  down_since   timestamptz,
  constraint ping_check_key_length check (length(key) between 1 and 200)
) with (fillfactor = 50);
create index ping_check_check_at on carillon.ping_check (check_at);
create index ping_check_down on carillon.ping_check (down_since) where down_since is not null;
comment on table carillon.ping_check is 'Work that runs elsewhere, how often it is to succeed, and what its pings said last.';
comment on column carillon.ping_check.down_since is
  'When it was found to have failed, or to be silent for too long; null while it is not.';

create table carillon.ping (
  key       text        not null,
  id        bigint      generated always as identity,
  at        timestamptz not null,
  kind      text        not null,
  duration  interval,
  exit_code integer,
  output    text,
  primary key (key, id),
  constraint ping_kind_known check (kind in ('start', 'success', 'fail')),
  constraint ping_output_length check (octet_length(output) <= 40000)
);
comment on table carillon.ping is 'The last hundred pings of each check.';
