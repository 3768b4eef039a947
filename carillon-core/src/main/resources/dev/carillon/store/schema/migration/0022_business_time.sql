create table carillon.calendar (
  name       text        primary key,
  version    integer     not null,
  created_at timestamptz not null,
  created_by text        not null,
  deleted_at timestamptz,
  deleted_by text,
  constraint calendar_name_length check (length(name) between 1 and 200),
  constraint calendar_version_counts_from_one check (version >= 1),
  constraint calendar_created_by_length check (length(created_by) between 1 and 200),
  constraint calendar_deleted_by_someone check ((deleted_at is null) = (deleted_by is null)),
  constraint calendar_deleted_by_length check (length(deleted_by) between 1 and 200)
);
comment on table carillon.calendar is
  'Business calendars by name; what one says is in its current version. A deleted one keeps its row, so that no version is ever used twice.';

create table carillon.calendar_version (
  name           text        not null,
  version        integer     not null,
  definition     jsonb       not null,
  combines       text[]      not null default '{}',
  coverage_until date,
  reason         text        not null default '',
  created_at     timestamptz not null,
  created_by     text        not null,
  primary key (name, version),
  foreign key (name) references carillon.calendar,
  constraint calendar_version_definition_an_object check (jsonb_typeof(definition) = 'object'),
  constraint calendar_version_definition_size check (octet_length(definition::text) <= 4194304),
  constraint calendar_version_combines_few check (cardinality(combines) <= 16),
  constraint calendar_version_reason_length check (length(reason) <= 1000),
  constraint calendar_version_created_by_length check (length(created_by) between 1 and 200)
);
comment on table carillon.calendar_version is 'What a calendar says and said; a row never changes.';
comment on column carillon.calendar_version.definition is
  'Named as in the REST contract; what is at its default is left out.';
comment on column carillon.calendar_version.combines is 'The calendars that it combines; they combine none.';
comment on column carillon.calendar_version.coverage_until is 'The last date for which its holidays are known.';

create table carillon.quiet_hours (
  name       text        primary key,
  version    integer     not null,
  tags       text[]      not null default '{}',
  everything boolean     not null default false,
  created_at timestamptz not null,
  created_by text        not null,
  deleted_at timestamptz,
  deleted_by text,
  constraint quiet_hours_name_length check (length(name) between 1 and 200),
  constraint quiet_hours_version_counts_from_one check (version >= 1),
  constraint quiet_hours_tags_few check (cardinality(tags) <= 50),
  constraint quiet_hours_created_by_length check (length(created_by) between 1 and 200),
  constraint quiet_hours_deleted_by_someone check ((deleted_at is null) = (deleted_by is null)),
  constraint quiet_hours_deleted_by_length check (length(deleted_by) between 1 and 200)
);
comment on table carillon.quiet_hours is
  'Quiet hours by name; when it is quiet is in the current version. A deleted row stays, as that of a calendar does.';
comment on column carillon.quiet_hours.tags is
  'Schedules with one of these tags are quiet then, besides those that name the quiet hours.';
comment on column carillon.quiet_hours.everything is 'Whether all schedules are quiet then.';

create table carillon.quiet_hours_version (
  name       text        not null,
  version    integer     not null,
  definition jsonb       not null,
  reason     text        not null default '',
  created_at timestamptz not null,
  created_by text        not null,
  primary key (name, version),
  foreign key (name) references carillon.quiet_hours,
  constraint quiet_hours_version_definition_an_object check (jsonb_typeof(definition) = 'object'),
  constraint quiet_hours_version_definition_size check (octet_length(definition::text) <= 4194304),
  constraint quiet_hours_version_reason_length check (length(reason) <= 1000),
  constraint quiet_hours_version_created_by_length check (length(created_by) between 1 and 200)
);
comment on table carillon.quiet_hours_version is 'What quiet hours say and said; a row only ever gets when it was deleted.';

-- Without set, so that PostgreSQL makes it part of the statement.
create function carillon.calendar_names(definition jsonb) returns text[]
language sql
immutable
as $$
select array_remove(array[definition #>> '{calendar,name}', definition #>> '{deadline,calendar}',
                          definition #>> '{timing,calendar}', definition #>> '{retry,calendar}',
                          definition ->> 'timeoutCalendar'], null)
$$;
comment on function carillon.calendar_names is 'Tells which calendars the definition of a schedule names.';

create index schedule_version_calendars on carillon.schedule_version using gin (carillon.calendar_names(definition))
 where retired_at is null
   and carillon.calendar_names(definition) <> '{}';
create index schedule_version_quiet_hours on carillon.schedule_version ((definition ->> 'quietHours'))
 where retired_at is null
   and definition ->> 'quietHours' is not null;

-- One row, or none before the first change: planning reads it with the standings of schedules, and reads the rest only when it has changed.
create table carillon.business_time (
  only_row boolean primary key default true,
  revision bigint  not null,
  constraint business_time_one_row check (only_row)
);
comment on table carillon.business_time is 'How often calendars or quiet hours were changed.';

create table carillon.replan (
  id             bigint      generated always as identity primary key,
  calendar       text,
  quiet_hours    text,
  tag            text,
  after_schedule bigint      not null default 0,
  schedules      bigint      not null default 0,
  runs           bigint      not null default 0,
  asked_at       timestamptz not null,
  done_at        timestamptz,
  constraint replan_by_one_name check (num_nonnulls(calendar, quiet_hours, tag) <= 1)
);
create index replan_open on carillon.replan (id) where done_at is null;
comment on table carillon.replan is
  'Changes of calendars and quiet hours after which what is planned is decided anew, for the schedules that name or have what is not null here, or for all.';
comment on column carillon.replan.after_schedule is 'Schedules up to this number are done.';
comment on column carillon.replan.runs is 'How many planned runs were taken back, moved or dropped.';

-- Not validated: it allows more than the constraint it replaces, and decisions may be many.
alter table carillon.decision
  add column policy text,
  add column merged_into timestamptz,
  drop constraint decision_reason_known,
  add constraint decision_reason_known
      check (reason in ('overlap', 'quiet_hours', 'holiday', 'missed', 'paused', 'outside_window', 'limit', 'retired',
                        'calendar', 'merged')) not valid;
comment on column carillon.decision.policy is 'The name of the calendar or the quiet hours that decided it, if one did.';
comment on column carillon.decision.merged_into is
  'The slot whose run stands for these, as they were due at the same time; null for other reasons.';

alter table carillon.quiet_hours_version
  add column deleted_at timestamptz,
  add column deleted_by text,
  add constraint quiet_hours_version_deleted_by_someone check ((deleted_at is null) = (deleted_by is null));
comment on column carillon.quiet_hours_version.deleted_at is
  'When it was deleted, if it was the last then: those of a tag or of everything may be, and may be saved again.';
