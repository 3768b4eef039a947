-- Whoever follows what ends asks for the latest by time. Rows are added in nearly that order, so a summary of each
-- stretch of pages is enough to find them, and costs a run that ends next to nothing.
create index history_finished on carillon.history using brin (finished_at) with (autosummarize = on);
