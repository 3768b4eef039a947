-- A pause that begins later: planning makes no runs of slots from then on.
alter table carillon.schedule
  add column pause_from timestamptz,
  add column coming_pause_reason text,
  add column coming_pause_until timestamptz,
  add constraint schedule_coming_pause_whole check (
    case when pause_from is null then coming_pause_reason is null and coming_pause_until is null
         else coalesce(coming_pause_reason ~ '\S', false)
              and (coming_pause_until is null or coming_pause_until > pause_from)
    end);
create index schedule_pause_from on carillon.schedule (pause_from) where pause_from is not null and status = 'active';
comment on column carillon.schedule.pause_from is
  'When an active schedule pauses by itself: slots at or after it do not run.';
