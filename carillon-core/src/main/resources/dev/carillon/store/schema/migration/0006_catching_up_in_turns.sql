-- A schedule that has more missed slots to run than one turn may make is planned again in the next turn, and not before:
-- its next slot has passed, and it must be planned later than that.
alter table carillon.cursor
  drop constraint cursor_planned_by_its_slot,
  add constraint cursor_planned_by_its_slot check ((plan_by is null) = (next_slot is null));
comment on column carillon.cursor.plan_by is
  'The next slot, or the time its run is due if jitter makes that earlier, or the next turn while missed slots are left: planning must not come later.';
