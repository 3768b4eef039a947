-- Null of nodes of earlier versions, which do not write them.
alter table carillon.node
  add column concurrency    integer,
  add column time_zones     text,
  add column clock_ahead_ms bigint,
  add constraint node_concurrency_positive check (concurrency > 0);
comment on column carillon.node.concurrency is 'How many runs it does at a time.';
comment on column carillon.node.time_zones is 'The version of the time zone rules it plans by.';
comment on column carillon.node.clock_ahead_ms is
  'How far the clock of its machine is ahead of that of the database; negative if it is behind. Nothing depends on it.';
