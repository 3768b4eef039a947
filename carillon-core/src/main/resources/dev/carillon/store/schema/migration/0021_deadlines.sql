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
create index schedule_version_escalation on carillon.schedule_version ((definition -> 'deadline' ->> 'escalateTo'))
 where retired_at is null and definition -> 'deadline' ->> 'escalateTo' is not null;
