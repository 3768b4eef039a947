-- Not validated: it allows more than the constraint it replaces, and decisions may be many.
alter table carillon.decision
  drop constraint decision_reason_known,
  add constraint decision_reason_known
       check (reason in ('overlap', 'quiet_hours', 'holiday', 'missed', 'paused', 'outside_window', 'limit', 'retired'))
       not valid;
