create sequence carillon.target_revision;
comment on sequence carillon.target_revision is 'Numbers every change of any target, so that none ever comes back.';

create table carillon.target (
  label      text        primary key,
  type       text        not null,
  settings   jsonb       not null,
  revision   bigint      not null,
  updated_at timestamptz not null,
  updated_by text        not null,
  constraint target_label_length check (length(label) between 1 and 200),
  constraint target_type_length check (length(type) between 1 and 50),
  constraint target_settings_an_object check (jsonb_typeof(settings) = 'object'),
  constraint target_settings_size check (octet_length(settings::text) <= 262144),
  constraint target_updated_by_length check (length(updated_by) between 1 and 200)
);
comment on table carillon.target is
  'Targets that were defined while the scheduler ran; those registered in code are not here.';
comment on column carillon.target.settings is 'What its type needs to know, secrets among it: never shown or logged.';

create table carillon.api_token (
  id           uuid        primary key,
  name         text        not null,
  hash         bytea       not null unique,
  roles        text[]      not null,
  created_at   timestamptz not null,
  created_by   text        not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  revoked_by   text,
  last_used_at timestamptz,
  constraint api_token_name_length check (length(name) between 1 and 200),
  constraint api_token_hash_is_sha256 check (octet_length(hash) = 32),
  constraint api_token_has_roles check (cardinality(roles) between 1 and 20),
  constraint api_token_roles_length check (length(array_to_string(roles, ',')) <= 1000),
  constraint api_token_created_by_length check (length(created_by) between 1 and 200),
  constraint api_token_revoked_by_someone check ((revoked_at is null) = (revoked_by is null)),
  constraint api_token_revoked_by_length check (length(revoked_by) between 1 and 200)
);
create index api_token_created on carillon.api_token (created_at, id);
comment on table carillon.api_token is 'Who may sign in, and as what; of a token itself only its SHA-256 is kept.';

create table carillon.idempotency (
  owner          text        not null,
  key            text        not null,
  request_hash   text        not null,
  reservation    uuid        not null,
  reserved_until timestamptz not null,
  status         integer,
  headers        jsonb,
  body           text,
  expires_at     timestamptz not null,
  primary key (owner, key),
  constraint idempotency_owner_length check (length(owner) between 1 and 200),
  constraint idempotency_key_length check (length(key) between 1 and 255),
  constraint idempotency_hash_is_sha256 check (request_hash ~ '^[0-9a-f]{64}$'),
  constraint idempotency_answer_whole
       check ((status is null) = (headers is null) and (status is null) = (body is null)),
  constraint idempotency_status_of_http check (status between 100 and 599),
  constraint idempotency_headers_size check (octet_length(headers::text) <= 65536),
  constraint idempotency_body_size check (octet_length(body) <= 4194304)
);
create index idempotency_expires on carillon.idempotency (expires_at);
comment on table carillon.idempotency is
  'Requests that must have the effect of one when they are repeated, and what they were answered.';
comment on column carillon.idempotency.owner is 'Whose key it is: two callers may use the same word.';
comment on column carillon.idempotency.reservation is
  'Who answers it: another may, once the reservation is over, and then the first no longer can.';

create table carillon.workflow (
  id          text        not null,
  version     integer     not null,
  dag         jsonb       not null,
  deployed_at timestamptz not null,
  deployed_by text        not null,
  removed_at  timestamptz,
  removed_by  text,
  primary key (id, version),
  constraint workflow_id_length check (length(id) between 1 and 200),
  constraint workflow_version_counts_from_one check (version >= 1),
  constraint workflow_dag_an_object check (jsonb_typeof(dag) = 'object'),
  constraint workflow_dag_size check (octet_length(dag::text) <= 4194304),
  constraint workflow_deployed_by_length check (length(deployed_by) between 1 and 200),
  constraint workflow_removed_by_someone check ((removed_at is null) = (removed_by is null)),
  constraint workflow_removed_by_length check (length(removed_by) between 1 and 200)
);
comment on table carillon.workflow is 'Deployed workflows by version; one that was removed can be deployed again.';

create table carillon.request (
  id          text        primary key,
  schedule_id bigint      not null,
  slot        timestamptz not null,
  received_at timestamptz not null,
  constraint request_id_length check (length(id) between 1 and 200)
);
create index request_received on carillon.request (received_at);
comment on table carillon.request is 'Names under which runs were enqueued, so that each names one run.';
