-- Who is signed in to the console. A cookie carries the secret of a session; here is its SHA-256 only.
create table carillon.console_session (
  hash       bytea       primary key,
  token      uuid        references carillon.api_token (id) on delete cascade,
  credential bytea       not null,
  name       text        not null,
  role       text        not null,
  means      text        not null,
  caller     text        not null,
  scope      jsonb,
  created_at timestamptz not null,
  seen_at    timestamptz not null,
  expires_at timestamptz not null,
  constraint console_session_hash_is_sha256 check (octet_length(hash) = 32),
  constraint console_session_credential_is_sha256 check (octet_length(credential) = 32),
  constraint console_session_name_length check (length(name) between 1 and 200),
  constraint console_session_caller_length check (length(caller) between 1 and 10000),
  constraint console_session_role_length check (length(role) between 1 and 20),
  constraint console_session_means_length check (length(means) between 1 and 20)
);
create index console_session_expires on carillon.console_session (expires_at);
create index console_session_caller on carillon.console_session (md5(caller), seen_at);
create index console_session_token on carillon.console_session (token);
comment on table carillon.console_session is
  'Who is signed in to the console. Of the secret in the cookie only the SHA-256 is kept.';
comment on column carillon.console_session.token is
  'The API token by which the session was begun, and with which it ends; null for other means.';
comment on column carillon.console_session.credential is
  'SHA-256 of the secret and of what was shown at sign-in, by which a server sees that its own token is still the same.';
comment on column carillon.console_session.caller is 'Differs from that of all others who sign in by the same means.';
