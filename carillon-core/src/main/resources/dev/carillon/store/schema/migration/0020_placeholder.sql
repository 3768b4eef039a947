-- Holds the place of another migration until both are merged.
select 1;
