-- Times are the database's: every statement passes them in, so no column has a default of now().

create table carillon.schedule (
  id           bigint      generated always as identity primary key,
  key          text        not null unique,
  version      integer     not null,
  status       text        not null default 'active',
  pause_reason text,
  paused_until timestamptz,
  created_at   timestamptz not null,
  created_by   text        not null,
  updated_at   timestamptz not null,
  updated_by   text        not null,
  constraint schedule_key_length check (length(key) between 1 and 200),
  constraint schedule_status_known check (status in ('active', 'paused', 'retired')),
  constraint schedule_pause_has_reason
       check (case when status = 'paused' then coalesce(pause_reason ~ '\S', false) else pause_reason is null end),
  constraint schedule_until_only_while_paused check (status = 'paused' or paused_until is null)
);
comment on table carillon.schedule is
  'What should run and when, by its key; the definition is in its current version.';

create table carillon.schedule_version (
  schedule_id          bigint      not null references carillon.schedule,
  version              integer     not null,
  target               text        not null,
  payload              jsonb       not null,
  timing               jsonb       not null,
  zone                 text        not null,
  window_from          timestamptz,
  window_until         timestamptz,
  jitter               interval    not null,
  calendar             text,
  calendar_roll        text,
  quiet_hours          text,
  overlap              text        not null,
  catch_up             jsonb       not null,
  retry                jsonb       not null,
  recovery             text        not null,
  timeout              interval,
  deadline             jsonb,
  pause_after_failures integer,
  description          text,
  tags                 text[]      not null default '{}',
  supersedes           integer,
  created_at           timestamptz not null,
  created_by           text        not null,
  retired_at           timestamptz,
  primary key (schedule_id, version),
  foreign key (schedule_id, supersedes) references carillon.schedule_version,
  constraint schedule_version_counts_from_one check (version >= 1),
  constraint schedule_version_supersedes_an_earlier check (supersedes < version),
  constraint schedule_version_window_opens_before_it_closes check (window_from <= window_until),
  constraint schedule_version_jitter_not_negative check (jitter >= interval '0'),
  constraint schedule_version_roll_needs_calendar check (calendar_roll is null or calendar is not null),
  constraint schedule_version_overlap_known
       check (overlap in ('skip', 'allow', 'queue', 'queue_one', 'cancel_previous')),
  constraint schedule_version_recovery_known check (recovery in ('resubmit', 'fail')),
  constraint schedule_version_timeout_positive check (timeout > interval '0'),
  constraint schedule_version_brake_positive check (pause_after_failures > 0)
);
create index schedule_version_payload on carillon.schedule_version using gin (payload jsonb_path_ops);
comment on table carillon.schedule_version is
  'The definitions a schedule has had; a row never changes but for the time it was retired.';

-- Deferred: a schedule and its first version, each naming the other, are written in one transaction.
alter table carillon.schedule
  add constraint schedule_has_its_version
      foreign key (id, version) references carillon.schedule_version
      deferrable initially deferred;

-- Narrow, because every advance of a cursor copies its row.
create table carillon.cursor (
  schedule_id          bigint      primary key references carillon.schedule,
  planned_through      timestamptz not null,
  next_slot            timestamptz,
  consecutive_failures integer     not null default 0,
  tzdb_version         text        not null,
  constraint cursor_looks_ahead check (next_slot > planned_through),
  constraint cursor_failures_not_negative check (consecutive_failures >= 0)
);
create index cursor_next_slot on carillon.cursor (next_slot) where next_slot is not null;
comment on table carillon.cursor is
  'How far each active schedule is planned: the slots up to there are runs or decisions.';

-- The primary key grows with time and is the only index; no foreign key. Each random key, index on
-- a column that finishing changes, or foreign key was measured to cost a fifth of the throughput or more.
create table carillon.run (
  schedule_id     bigint      not null,
  slot            timestamptz not null,
  ordinal         smallint    not null default 0,
  version         integer     not null,
  trigger         text        not null,
  target          text        not null,
  payload         jsonb       not null,
  due_at          timestamptz not null,
  state           text        not null default 'pending',
  attempt         integer     not null default 0,
  node_id         uuid,
  node_epoch      bigint,
  started_at      timestamptz,
  finished_at     timestamptz,
  failure_code    text,
  failure_message text,
  failure_details jsonb,
  reason          text,
  correlation     text,
  primary key (schedule_id, slot, ordinal),
  constraint run_trigger_known check (trigger in ('scheduled', 'manual', 'ad_hoc', 'backfill')),
  constraint run_of_a_slot_is_the_only_one check ((trigger in ('scheduled', 'backfill')) = (ordinal = 0)),
  constraint run_state_known
       check (state in ('pending', 'running', 'succeeded', 'failed', 'canceled', 'skipped')),
  constraint run_attempt_not_negative check (attempt >= 0),
  constraint run_running_somewhere
       check (state <> 'running' or (node_id is not null and node_epoch is not null and started_at is not null)),
  constraint run_finished_at_its_end check ((state in ('pending', 'running')) = (finished_at is null)),
  constraint run_failed_with_code check (state <> 'failed' or failure_code is not null),
  constraint run_not_run_for_a_reason check (state not in ('canceled', 'skipped') or reason is not null)
) partition by range (slot);
comment on table carillon.run is
  'One slot, or one manual, ad-hoc or backfill request, on its way; partitioned so that retention drops partitions.';
comment on column carillon.run.ordinal is
  'Zero for the run of a slot, so that a slot has one run; manual and ad-hoc runs of the same instant count from one.';

-- Half-filled pages keep the updates that claim and finish a run on its page, away from the index.
create table carillon.run_default partition of carillon.run default with (fillfactor = 50);
comment on table carillon.run_default is 'Runs of slots that have no partition of their own.';

create table carillon.decision (
  schedule_id bigint      not null,
  first_slot  timestamptz not null,
  last_slot   timestamptz not null,
  slots       bigint      not null,
  reason      text        not null,
  decided_at  timestamptz not null,
  primary key (schedule_id, first_slot),
  constraint decision_first_not_after_last check (first_slot <= last_slot),
  constraint decision_about_some_slots check (slots > 0),
  constraint decision_reason_known
       check (reason in ('overlap', 'quiet_hours', 'holiday', 'missed', 'paused', 'outside_window', 'limit'))
);
comment on table carillon.decision is
  'Slots that became no run, as ranges with their number and the reason.';

create table carillon.audit (
  id          bigint      generated always as identity primary key,
  at          timestamptz not null,
  actor       text        not null,
  action      text        not null,
  schedule_id bigint,
  details     jsonb       not null default '{}'
);
create index audit_schedule on carillon.audit (schedule_id, id) where schedule_id is not null;
comment on table carillon.audit is 'Who changed what, and what the scheduler did on its own.';

create table carillon.node (
  id          uuid        primary key,
  epoch       bigint      not null,
  name        text        not null,
  version     text        not null,
  started_at  timestamptz not null,
  seen_at     timestamptz not null,
  lease_until timestamptz not null,
  constraint node_epoch_positive check (epoch > 0)
) with (fillfactor = 50);
comment on table carillon.node is
  'The processes of the cluster; runs belong to a node and epoch, and are recovered when its lease ends.';

create table carillon.leader (
  duty        text        primary key,
  node_id     uuid        not null,
  epoch       bigint      not null,
  since       timestamptz not null,
  lease_until timestamptz not null,
  constraint leader_epoch_positive check (epoch > 0)
) with (fillfactor = 50);
comment on table carillon.leader is
  'Who holds each duty that one node should have; correctness never depends on it.';
