alter table carillon.idempotency
  add column progress text,
  alter column reservation drop not null,
  alter column reserved_until drop not null,
  add constraint idempotency_progress_size check (octet_length(progress) <= 4194304),
  add constraint idempotency_progress_or_answer check (progress is null or status is null);
comment on column carillon.idempotency.progress is
  'How far a request in several transactions has come, as JSON; null once it is answered.';
comment on column carillon.idempotency.reservation is
  'Of a request that a node of an earlier version answers; null otherwise.';
comment on column carillon.idempotency.reserved_until is
  'Until when a node of an earlier version may answer it; null otherwise.';
