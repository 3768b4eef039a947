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
