alter table carillon.run add column fence_hash text;
comment on column carillon.run.fence_hash is
  'The SHA-256 of what the worker that leased it last must show; null if no worker did.';
