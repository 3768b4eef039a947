-- Many runs may be due at the same moment. With their schedules in the index, a claim goes on where the last one ended,
-- and not through all that it took since.
create index run_place on carillon.run (target, wake_at, schedule_id) where wake_at is not null;
drop index carillon.run_wake;
