-- A run may leave its node: somebody else has accepted it and will report how it ended, or a worker that is no
-- node has it on lease. No index but the one on what has left: runs that stay pay nothing.
alter table carillon.run
  add column external_id text,
  add column expires_at  timestamptz;
create index run_expires on carillon.run (expires_at) where expires_at is not null;
comment on column carillon.run.node_epoch is
  'The life of the node that has it; 0 if it was accepted elsewhere, -1 if a worker has it on lease.';
comment on column carillon.run.external_id is 'What those who accepted it call it.';
comment on column carillon.run.expires_at is
  'When to give it up unless somebody reports or renews; null while a node has it.';

alter table carillon.history
  add column external_id text;
comment on column carillon.history.external_id is 'What those who accepted it called it.';

create or replace view carillon.live_run as
select run.schedule_id, run.slot, run.ordinal, run.version, run.trigger, run.target, run.payload, run.due_at,
       run.state, run.attempt, run.overlap, run.policy, run.node_id, run.started_at,
       null::timestamptz as finished_at, null as failure_code, null as failure_message, null as failure_details,
       run.cancel_reason as reason, run.progress, run.attempts, run.correlation, run.created_by, run.external_id
  from carillon.run;

create or replace view carillon.ended_run as
select history.schedule_id, history.slot, history.ordinal, history.version, history.trigger, history.target,
       history.payload, history.due_at, history.state, history.attempt, history.overlap, history.policy,
       history.node_id, history.started_at, history.finished_at, history.failure_code, history.failure_message,
       history.failure_details, history.reason, history.progress, history.attempts, history.correlation,
       history.created_by, history.external_id
  from carillon.history;

create or replace view carillon.any_run as
select * from carillon.live_run
 union all
select * from carillon.ended_run;

create table carillon.worker (
  id          uuid        primary key,
  name        text        not null,
  since       timestamptz not null,
  seen_at     timestamptz not null,
  lease_until timestamptz not null
) with (fillfactor = 50);
comment on table carillon.worker is
  'Processes that are no nodes and fetch runs; for people to see, since each run has a lease of its own.';
