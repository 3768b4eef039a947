-- A schedule that has run its course is retired like one that somebody deleted, and told apart from it.
alter table carillon.schedule
  add column completed boolean not null default false,
  add constraint schedule_completed_is_retired check (status = 'retired' or not completed);
comment on column carillon.schedule.completed is
  'Whether it is retired because it had no slot left, and not because somebody deleted it.';

update carillon.schedule
   set completed = true
 where status = 'retired'
   and (select action
          from carillon.audit
         where audit.schedule_id = schedule.id
           and action in ('schedule.completed', 'schedule.retired')
         order by id desc
         limit 1) = 'schedule.completed';
