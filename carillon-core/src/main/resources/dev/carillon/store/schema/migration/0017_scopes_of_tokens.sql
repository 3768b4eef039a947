alter table carillon.api_token add column scope jsonb;
alter table carillon.api_token add constraint api_token_scope_size check (octet_length(scope::text) <= 262144);
comment on column carillon.api_token.scope is
  'The targets, tags and keys it is limited to; null for none. Then its roles begin with scoped-, which a server that '
  'knows no scopes does not take for roles.';

create function carillon.in_scope(scope jsonb, key text, target text, tags text[]) returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
select (scope -> 'targets' is null or scope -> 'targets' @> to_jsonb(target))
   and (scope -> 'tags' is null
        or exists (select 1 from unnest(tags) as tag (name) where scope -> 'tags' @> to_jsonb(tag.name)))
   and (scope -> 'keys' is null
        or exists (select 1
                     from jsonb_array_elements_text(scope -> 'keys') as prefix (beginning)
                    where starts_with(key, prefix.beginning)))
$$;

comment on function carillon.in_scope is
  'Tells whether a scope reaches a schedule, or a run with its own target: one value of each kind must match.';
