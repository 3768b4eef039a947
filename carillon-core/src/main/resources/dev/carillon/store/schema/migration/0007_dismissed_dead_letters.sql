-- Apart from the history, which is written once: a run that ends pays nothing for this. A dismissal is about one
-- attempt, so that a run which fails once more is a dead letter once more.
create table carillon.dismissal (
  schedule_id  bigint      not null,
  slot         timestamptz not null,
  ordinal      smallint    not null,
  attempt      integer     not null,
  dismissed_at timestamptz not null,
  dismissed_by text        not null,
  reason       text        not null,
  primary key (schedule_id, slot, ordinal),
  constraint dismissal_has_reason check (reason ~ '\S')
);
comment on table carillon.dismissal is 'Failed runs that somebody has seen and given up, so that they are no dead letters.';
comment on column carillon.dismissal.attempt is 'The attempt whose failure was dismissed.';
