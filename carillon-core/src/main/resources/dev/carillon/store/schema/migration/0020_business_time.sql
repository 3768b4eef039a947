create table carillon.calendar (
  name       text        primary key,
  version    integer     not null,
  definition jsonb       not null,
  updated_at timestamptz not null,
  updated_by text        not null,
  constraint calendar_name_size check (length(name) between 1 and 200),
  constraint calendar_version_counts_from_one check (version >= 1)
);
comment on table carillon.calendar is 'Business calendars as they are now.';

create table carillon.calendar_version (
  name       text        not null,
  version    integer     not null,
  definition jsonb,
  created_at timestamptz not null,
  created_by text        not null,
  primary key (name, version)
);
comment on table carillon.calendar_version is 'All that a calendar ever said; null for its deletion.';

create table carillon.quiet_hours (
  name       text        primary key,
  version    integer     not null,
  definition jsonb       not null,
  scope      text        not null,
  tag        text,
  updated_at timestamptz not null,
  updated_by text        not null,
  constraint quiet_hours_name_size check (length(name) between 1 and 200),
  constraint quiet_hours_version_counts_from_one check (version >= 1),
  constraint quiet_hours_scope_known check (scope in ('named', 'tag', 'everything')),
  constraint quiet_hours_tag_if_by_tag check ((scope = 'tag') = (tag is not null))
);
comment on table carillon.quiet_hours is
  'Quiet hours as they are now: for schedules that name them, for those with a tag, or for all.';

create table carillon.quiet_hours_version (
  name       text        not null,
  version    integer     not null,
  definition jsonb,
  scope      text,
  tag        text,
  created_at timestamptz not null,
  created_by text        not null,
  primary key (name, version)
);
comment on table carillon.quiet_hours_version is
  'All that quiet hours ever said; null for their deletion.';

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
