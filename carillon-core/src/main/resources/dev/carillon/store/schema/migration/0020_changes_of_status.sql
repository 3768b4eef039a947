-- Explaining a slot looks up by whom its schedule was paused, resumed or ended around then.
create index audit_status on carillon.audit (schedule_id, at)
 where action in ('schedule.paused', 'schedule.pause_planned', 'schedule.resumed', 'schedule.retired',
                  'schedule.completed');
