-- breaking: the settings of targets are encrypted, which earlier versions cannot read

alter table carillon.target
  add column sealed bytea,
  add column key_id text,
  add constraint target_sealed_with_a_key check ((sealed is null) = (key_id is null)),
  add constraint target_sealed_size check (octet_length(sealed) <= 262144),
  add constraint target_key_id_length check (length(key_id) between 1 and 40);
comment on column carillon.target.settings is
  'What its type needs to know and anyone may: what may hold a secret is in sealed.';
comment on column carillon.target.sealed is
  'Its other settings as JSON, encrypted with AES-256-GCM for this label: the nonce, then the ciphertext. Null if there are none, or no server had a key yet; then all are in settings.';
comment on column carillon.target.key_id is 'Which key sealed it.';

create table carillon.secret_key (
  id         text        primary key,
  sealed     bytea       not null,
  created_at timestamptz not null,
  constraint secret_key_id_length check (length(id) between 1 and 40),
  constraint secret_key_sealed_size check (octet_length(sealed) <= 1024)
);
comment on table carillon.secret_key is
  'The ids of keys that seal secrets, each with a text it has sealed, by which a server sees that it has the same key.';

create table carillon.sign_in_link (
  hash       bytea       primary key,
  created_at timestamptz not null,
  created_by text        not null,
  expires_at timestamptz not null,
  constraint sign_in_link_hash_is_sha256 check (octet_length(hash) = 32),
  constraint sign_in_link_created_by_length check (length(created_by) between 1 and 200)
);
create index sign_in_link_expires on carillon.sign_in_link (expires_at);
comment on table carillon.sign_in_link is
  'Links that were given out and not used: each signs one administrator in once. Of its code only the SHA-256 is kept.';
