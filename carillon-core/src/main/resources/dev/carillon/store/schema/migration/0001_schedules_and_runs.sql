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
create index schedule_paused_until on carillon.schedule (paused_until) where paused_until is not null;
comment on table carillon.schedule is
  'What should run and when, by its key; the definition is in its current version.';

-- No foreign key to the schedule, here and from its cursor: all three are written in one transaction, no
-- schedule is ever deleted, and each key would cost a tenth of the time it takes to create one.
create table carillon.schedule_version (
  schedule_id bigint      not null,
  version     integer     not null,
  target      text        not null,
  payload     jsonb       not null,
  definition  jsonb       not null,
  tags        text[]      not null default '{}',
  supersedes  integer,
  created_at  timestamptz not null,
  created_by  text        not null,
  retired_at  timestamptz,
  primary key (schedule_id, version),
  foreign key (schedule_id, supersedes) references carillon.schedule_version,
  constraint schedule_version_counts_from_one check (version >= 1),
  constraint schedule_version_supersedes_an_earlier check (supersedes < version)
);
create index schedule_version_payload on carillon.schedule_version using gin (payload jsonb_path_ops)
 where retired_at is null;
create index schedule_version_target on carillon.schedule_version (target) where retired_at is null;
comment on table carillon.schedule_version is
  'The definitions a schedule has had; a row never changes but for the time it was retired.';
comment on column carillon.schedule_version.definition is
  'Timing and policies, named as in the REST contract; what is at its default is left out.';

-- Deferred: a schedule and its first version, each naming the other, are written in one transaction.
alter table carillon.schedule
  add constraint schedule_has_its_version
      foreign key (id, version) references carillon.schedule_version
      deferrable initially deferred;

-- Narrow, because every advance of a cursor copies its row.
create table carillon.cursor (
  schedule_id     bigint      primary key,
  planned_through timestamptz not null,
  next_slot       timestamptz,
  plan_by         timestamptz,
  rewound_from    timestamptz,
  planned_runs    bigint      not null default 0,
  tzdb_version    text        not null,
  constraint cursor_looks_ahead check (next_slot > planned_through),
  constraint cursor_planned_by_its_slot check ((plan_by is null) = (next_slot is null) and plan_by <= next_slot)
) with (fillfactor = 70);
create index cursor_plan_by on carillon.cursor (plan_by) where plan_by is not null;
comment on table carillon.cursor is
  'How far each schedule is planned: the slots up to there are runs or decisions.';
comment on column carillon.cursor.next_slot is
  'The next slot to plan; null when the schedule is paused, retired, exhausted, or waits for its run to finish.';
comment on column carillon.cursor.plan_by is
  'The next slot, or the time its run is due if jitter makes that earlier: planning must not come later.';
comment on column carillon.cursor.rewound_from is
  'Slots after planned_through up to here may have runs already: planning was taken back after an outage or an edit.';

-- Live runs only: finishing moves a run to history, so that claiming always works on a small table.
-- No foreign key, and no index on a column that claiming changes: with half-filled pages, claiming then
-- rewrites the row on its own page and touches no index.
create table carillon.run (
  schedule_id   bigint      not null,
  slot          timestamptz not null,
  ordinal       smallint    not null default 0,
  version       integer     not null,
  trigger       text        not null,
  target        text        not null,
  payload       jsonb       not null,
  due_at        timestamptz not null,
  wake_at       timestamptz,
  state         text        not null default 'pending',
  attempt       integer     not null default 0,
  lane          bigint,
  overlap       text,
  policy        jsonb,
  sequel        text,
  node_id       uuid,
  node_epoch    bigint,
  started_at    timestamptz,
  progress      text,
  cancel_reason text,
  attempts      jsonb,
  correlation   text,
  created_by    text,
  primary key (schedule_id, slot, ordinal),
  constraint run_trigger_known check (trigger in ('scheduled', 'manual', 'ad_hoc', 'backfill')),
  constraint run_of_a_slot_is_the_only_one check ((trigger in ('scheduled', 'backfill', 'ad_hoc')) = (ordinal = 0)),
  constraint run_state_live check (state in ('pending', 'running')),
  constraint run_attempt_not_negative check (attempt >= 0),
  constraint run_sequel_known check (sequel in ('retire', 'repeat')),
  constraint run_running_somewhere
       check (state <> 'running' or (node_id is not null and node_epoch is not null and started_at is not null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.2);
create index run_wake on carillon.run (target, wake_at) where wake_at is not null;
create index run_correlation on carillon.run (correlation) where correlation is not null;
create index run_to_cancel on carillon.run (schedule_id) where cancel_reason is not null;
comment on table carillon.run is
  'Runs on their way, pending or running: one slot, or one manual, ad-hoc or backfill request.';
comment on column carillon.run.schedule_id is
  'The schedule, or for an ad-hoc run a number of its own from the same sequence.';
comment on column carillon.run.ordinal is
  'Zero for the run of a slot, so that a slot has one run; manual runs of the same instant count from one.';
comment on column carillon.run.wake_at is
  'When it may be claimed: its due time, the time of its retry, or null while it waits for its lane.';
comment on column carillon.run.lane is
  'The lane it must be alone in, by its overlap rule; null if it may run beside others.';
comment on column carillon.run.sequel is
  'What its end brings about: the schedule retires, or repeats a period later.';

-- Finished runs, written once. Partitions by slot are made ahead, and retention drops them.
create table carillon.history (
  schedule_id     bigint      not null,
  slot            timestamptz not null,
  ordinal         smallint    not null,
  version         integer     not null,
  trigger         text        not null,
  target          text        not null,
  payload         jsonb       not null,
  due_at          timestamptz not null,
  state           text        not null,
  attempt         integer     not null,
  overlap         text,
  policy          jsonb,
  node_id         uuid,
  started_at      timestamptz,
  finished_at     timestamptz not null,
  failure_code    text,
  failure_message text,
  failure_details text,
  reason          text,
  progress        text,
  attempts        jsonb,
  correlation     text,
  created_by      text,
  signpost        boolean     not null default false,
  primary key (schedule_id, slot, ordinal),
  constraint history_state_final check (state in ('succeeded', 'failed', 'canceled', 'skipped')),
  constraint history_failed_with_code check (state <> 'failed' or failure_code is not null),
  constraint history_not_run_for_a_reason check (state not in ('canceled', 'skipped') or reason is not null)
) partition by range (slot);
create index history_failed on carillon.history (finished_at) where state = 'failed';
create index history_correlation on carillon.history (correlation) where correlation is not null;

-- Most runs succeed, and each index costs each of them, so a success is in two: the key, and the one in
-- the order of lists, to whose end it is added. The rest are few and can be found in more ways.
create index history_succeeded on carillon.history (slot, schedule_id, ordinal, target) where state = 'succeeded';
create index history_signpost on carillon.history (target, slot) where signpost;
create index history_unsuccessful on carillon.history (state, slot, schedule_id, ordinal)
 where state <> 'succeeded';
create index history_unsuccessful_target on carillon.history (target, state, slot, schedule_id, ordinal)
 where state <> 'succeeded';
create index history_unsuccessful_schedule on carillon.history (schedule_id, slot, ordinal)
 where state <> 'succeeded';
comment on table carillon.history is 'Finished runs, in partitions by slot so that retention drops partitions.';
comment on column carillon.history.signpost is
  'Stands for all successes of its target in the same second of slots: where there is one, there is a signpost.';

create table carillon.history_default partition of carillon.history default;
comment on table carillon.history_default is 'Finished runs of slots that have no partition of their own.';
create index history_default_finished on carillon.history_default (finished_at);

create view carillon.live_run as
select run.schedule_id, run.slot, run.ordinal, run.version, run.trigger, run.target, run.payload, run.due_at,
       run.state, run.attempt, run.overlap, run.policy, run.node_id, run.started_at,
       null::timestamptz as finished_at, null as failure_code, null as failure_message, null as failure_details,
       run.cancel_reason as reason, run.progress, run.attempts, run.correlation, run.created_by
  from carillon.run;
comment on view carillon.live_run is 'Runs on their way, with the columns of ended ones.';

create view carillon.ended_run as
select history.schedule_id, history.slot, history.ordinal, history.version, history.trigger, history.target,
       history.payload, history.due_at, history.state, history.attempt, history.overlap, history.policy,
       history.node_id, history.started_at, history.finished_at, history.failure_code, history.failure_message,
       history.failure_details, history.reason, history.progress, history.attempts, history.correlation,
       history.created_by
  from carillon.history;
comment on view carillon.ended_run is 'Finished runs, without what only the store needs.';

create view carillon.any_run as
select * from carillon.live_run
 union all
select * from carillon.ended_run;
comment on view carillon.any_run is 'All runs, live and finished.';

create table carillon.tally (
  hour   timestamptz not null,
  target text        not null,
  state  text        not null,
  runs   bigint      not null,
  primary key (hour, target, state)
) with (fillfactor = 50);
comment on table carillon.tally is
  'How many finished runs there are of each hour of slots, target and state; marks come on top.';

-- No key and no index: whoever ends runs adds a row, waits for nobody, and is done.
create table carillon.tally_mark (
  hour   timestamptz not null,
  target text        not null,
  state  text        not null,
  runs   bigint      not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table carillon.tally_mark is
  'What batches of ended runs add to the tallies, until housekeeping folds it in.';

create view carillon.any_tally as
select hour, target, state, runs from carillon.tally
 union all
select hour, target, state, runs from carillon.tally_mark;
comment on view carillon.any_tally is 'The tallies and what is to be folded into them: their sum is exact.';

create table carillon.lane (
  id        bigint      primary key,
  slot      timestamptz,
  ordinal   smallint,
  contended boolean     not null default false,
  constraint lane_holder_whole check ((slot is null) = (ordinal is null))
) with (fillfactor = 50);
comment on table carillon.lane is
  'Where runs of a schedule go one at a time; held by the run that has started and is not finished.';

comment on column carillon.lane.contended is 'Whether runs may be waiting for it: set before one waits.';

create table carillon.failing (
  schedule_id bigint      primary key,
  failures    integer     not null,
  since       timestamptz not null,
  constraint failing_counts_from_one check (failures >= 1)
) with (fillfactor = 50);
comment on table carillon.failing is 'Schedules whose last run failed, and how many failed in a row.';

create table carillon.decision (
  schedule_id bigint      not null,
  first_slot  timestamptz not null,
  last_slot   timestamptz not null,
  slots       bigint      not null,
  reason      text        not null,
  version     integer     not null,
  decided_at  timestamptz not null,
  primary key (schedule_id, first_slot),
  constraint decision_first_not_after_last check (first_slot <= last_slot),
  constraint decision_about_some_slots check (slots > 0),
  constraint decision_reason_known
       check (reason in ('overlap', 'quiet_hours', 'holiday', 'missed', 'paused', 'outside_window', 'limit'))
);
create index decision_decided on carillon.decision using brin (decided_at);
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
create index audit_at on carillon.audit using brin (at);
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
