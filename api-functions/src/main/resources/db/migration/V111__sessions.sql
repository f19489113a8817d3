-- Browsers that are signed in with a key, and the codes that sign one in without showing it. Both go with their key.
create table farm.session (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  "keyId" text not null,
  "userAgent" text,
  address text,
  "expiresAt" timestamptz(3) not null,
  "lastUsedAt" timestamptz(3),
  -- beyond the record: the token
  salt text,
  hash text,
  primary key ("storeId", id),
  foreign key ("storeId", "keyId") references farm."apiKey" on delete cascade
);
create unique index on farm.session (id);
create index on farm.session ("storeId", "keyId");

create table farm."signInCode" (
  "storeId" text not null references farm.store,
  code text not null,
  "keyId" text not null,
  "expiresAt" timestamptz(3) not null,
  primary key ("storeId", code),
  foreign key ("storeId", "keyId") references farm."apiKey" on delete cascade
);
create unique index on farm."signInCode" (code);
create index on farm."signInCode" ("storeId", "keyId");

do $$
declare t text;
begin
  foreach t in array array['session', 'signInCode'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
    execute format('grant select on farm.%I to gantry_lookup', t);
  end loop;
end $$;

create function farm.session_by_id(wanted text)
returns table (id text, "storeId" text, "keyId" text, name text, salt text, hash text, "lastUsedAt" timestamptz)
language sql stable security definer set search_path = farm as
$$ select s.id, s."storeId", s."keyId", s.name, s.salt, s.hash, s."lastUsedAt" from farm.session s
   where s.id = wanted and s."expiresAt" > now() $$;
alter function farm.session_by_id(text) owner to gantry_lookup;
revoke all on function farm.session_by_id(text) from public;
grant execute on function farm.session_by_id(text) to gantry_app;

create function farm.key_of_sign_in_code(wanted text) returns text
language sql stable security definer set search_path = farm as
$$ select c."keyId" from farm."signInCode" c where c.code = wanted and c."expiresAt" > now() $$;
alter function farm.key_of_sign_in_code(text) owner to gantry_lookup;
revoke all on function farm.key_of_sign_in_code(text) from public;
grant execute on function farm.key_of_sign_in_code(text) to gantry_app;

-- Who acted, beside the key: the name that somebody signed in with. The origin tells it after address and request.
alter table farm."auditLog" add column "sessionName" text;
create or replace function farm.note_audit() returns trigger language plpgsql as $$
#variable_conflict use_variable
declare
  store text := current_setting('gantry.store', true);
  key text := nullif(current_setting('gantry.key', true), '');
  key_name text := (select k.name from farm."apiKey" k where k."storeId" = store and k.id = key);
  origin text := current_setting('gantry.origin', true);
  address text := nullif(split_part(origin, ' ', 1), '');
  request text := nullif(split_part(origin, ' ', 2), '');
  session_name text := nullif(substring(origin from '^[^ ]* [^ ]* (.*)$'), '');
begin
  if key is null then
    return null;
  elsif tg_op = 'UPDATE' then
    insert into farm."auditLog" ("storeId", id, "createdAt", "updatedAt", action, "entityType", "entityId", "keyId", "keyName",
      address, "requestId", before, after, "sessionName")
    select store, substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), now(), now(), 'updated', tg_table_name,
      farm.audited_id(a), key, key_name, address, request, farm.differing(b, a), farm.differing(a, b), session_name
    from (select farm.audited(to_jsonb(r), tg_argv) as b from replaced r) old_rows
    join (select farm.audited(to_jsonb(c), tg_argv) as a from changed c) new_rows on farm.audited_id(a) = farm.audited_id(b)
    where a - 'updatedAt' <> b - 'updatedAt';
  else
    insert into farm."auditLog" ("storeId", id, "createdAt", "updatedAt", action, "entityType", "entityId", "keyId", "keyName",
      address, "requestId", before, after, "sessionName")
    select store, substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), now(), now(),
      case tg_op when 'INSERT' then 'created' else 'deleted' end, tg_table_name, farm.audited_id(shown), key, key_name,
      address, request, case tg_op when 'DELETE' then shown end, case tg_op when 'INSERT' then shown end, session_name
    from changed c cross join lateral farm.audited(to_jsonb(c), tg_argv) shown;
  end if;
  return null;
end $$;

select farm.audit('session', 'hash', 'salt', 'lastUsedAt');
