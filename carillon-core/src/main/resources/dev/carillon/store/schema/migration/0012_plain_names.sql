-- breaking: older versions know these tables and this column by their former names.
alter table carillon.tally rename to run_count;
alter table carillon.tally_mark rename to run_count_delta;
alter view carillon.any_tally rename to exact_run_count;
alter table carillon.failing rename to failure_streak;
alter table carillon.failure_streak rename constraint failing_counts_from_one to failure_streak_counts_from_one;
alter table carillon.history rename column signpost to sampled;
alter index carillon.history_signpost rename to history_sampled;
comment on table carillon.run_count is
  'How many finished runs there are of each hour of slots, target and state, without the deltas.';
comment on table carillon.run_count_delta is
  'What batches of ended runs add to run_count, until housekeeping adds it up.';
comment on view carillon.exact_run_count is 'run_count and its deltas: their sum is exact.';
comment on column carillon.history.sampled is
  'Stands for all successes of its target in the same second of slots: each such second has at least one sampled row.';
