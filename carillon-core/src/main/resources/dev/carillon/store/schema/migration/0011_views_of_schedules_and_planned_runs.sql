create view carillon.current_schedule as
select schedule.id, schedule.key, schedule.version, schedule.status, schedule.pause_reason, schedule.paused_until,
       schedule.pause_from, schedule.coming_pause_reason, schedule.coming_pause_until, schedule.completed,
       schedule.created_at, schedule.created_by, schedule.updated_at, schedule.updated_by, version.target,
       version.payload, version.definition, version.tags, version.retired_at, cursor.next_slot
  from carillon.schedule
  join carillon.schedule_version as version
    on version.schedule_id = schedule.id and version.version = schedule.version
  join carillon.cursor
    on cursor.schedule_id = schedule.id;
comment on view carillon.current_schedule is 'Schedules with their current versions and next slots.';

create view carillon.planned_run as
select run.schedule_id, run.slot, run.target, run.due_at, run.wake_at
  from carillon.run
 where run.state = 'pending'
   and run.trigger = 'scheduled'
   and run.attempt = 0
   and run.created_by is null
   and run.wake_at is not null;
comment on view carillon.planned_run is
  'Runs that planning made of slots, that no node has claimed and that wait for no lane; none that a caller asked for.';
