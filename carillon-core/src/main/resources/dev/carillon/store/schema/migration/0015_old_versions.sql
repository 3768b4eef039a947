-- Old versions are deleted, and later ones still say what they superseded.
alter table carillon.schedule_version drop constraint schedule_version_schedule_id_supersedes_fkey;
comment on column carillon.schedule_version.supersedes is
  'The version it replaced, which may have been deleted since.';
create index schedule_many_versions on carillon.schedule (id) where version > 100;
comment on table carillon.schedule_version is
  'The last definitions a schedule has had and those that runs refer to; a row never changes but for the time it was retired.';
