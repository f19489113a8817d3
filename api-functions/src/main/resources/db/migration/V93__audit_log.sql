-- Who changed what: written by triggers in the transaction of each change that an API key makes, so that no path of the code
-- can forget it. "before" and "after" hold the columns that differ, without what must never be shown.
create table farm."auditLog" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  action text not null,
  "entityType" text not null,
  "entityId" text not null,
  "keyId" text not null,
  "keyName" text,
  address text,
  "requestId" text,
  before json,
  after json,
  primary key ("storeId", id)
);
create index on farm."auditLog" ("createdAt");
create index on farm."auditLog" ("storeId", "createdAt", id);
create index on farm."auditLog" ("storeId", "entityId", "createdAt", id);

alter table farm."auditLog" enable row level security;
alter table farm."auditLog" force row level security;
create policy store on farm."auditLog" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy forget on farm."auditLog" to gantry_lookup using (true);
grant select, insert on farm."auditLog" to gantry_app;
grant select, delete on farm."auditLog" to gantry_lookup;

create function farm.forget_audit_log(until timestamptz, most integer) returns integer
language plpgsql security definer set search_path = farm as $$
declare deleted integer;
begin
  delete from farm."auditLog" where ("storeId", id) in (
    select "storeId", id from farm."auditLog" where "createdAt" < until order by "createdAt" limit most);
  get diagnostics deleted = row_count;
  return deleted;
end $$;
alter function farm.forget_audit_log(timestamptz, integer) owner to gantry_lookup;
revoke all on function farm.forget_audit_log(timestamptz, integer) from public;
grant execute on function farm.forget_audit_log(timestamptz, integer) to gantry_app;

-- A row as the log shows it: sealed secrets are masked, and some columns left out.
create function farm.audited(shown jsonb, hidden text[]) returns jsonb
language sql immutable as
$$ select regexp_replace((shown - coalesce(hidden, '{}'))::text, '"sealed:[^"]*"', '"********"', 'g')::jsonb $$;

-- The members of a row that another does not have, or has otherwise.
create function farm.differing(shown jsonb, other jsonb) returns jsonb
language sql immutable as
$$ select jsonb_object_agg(key, value) from jsonb_each(shown) where value is distinct from other -> key $$;

-- What a row is called: by its id, or by what stands for one.
create function farm.audited_id(shown jsonb) returns text
language sql immutable as
$$ select coalesce(shown->>'id', shown->>'sku', shown->>'printerId', shown->>'storeId') $$;

-- "changed" are the rows as they are now, of a delete as they were.
create function farm.note_audit() returns trigger language plpgsql as $$
#variable_conflict use_variable
declare
  store text := current_setting('gantry.store', true);
  key text := nullif(current_setting('gantry.key', true), '');
  key_name text := (select k.name from farm."apiKey" k where k."storeId" = store and k.id = key);
  address text := nullif(split_part(current_setting('gantry.origin', true), ' ', 1), '');
  request text := nullif(split_part(current_setting('gantry.origin', true), ' ', 2), '');
begin
  if key is null then
    return null;
  elsif tg_op = 'UPDATE' then
    insert into farm."auditLog"
    select store, substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), now(), now(), 'updated', tg_table_name,
      farm.audited_id(a), key, key_name, address, request, farm.differing(b, a), farm.differing(a, b)
    from (select farm.audited(to_jsonb(r), tg_argv) as b from replaced r) old_rows
    join (select farm.audited(to_jsonb(c), tg_argv) as a from changed c) new_rows on farm.audited_id(a) = farm.audited_id(b)
    where a - 'updatedAt' <> b - 'updatedAt';
  else
    insert into farm."auditLog"
    select store, substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), now(), now(),
      case tg_op when 'INSERT' then 'created' else 'deleted' end, tg_table_name, farm.audited_id(shown), key, key_name,
      address, request, case tg_op when 'DELETE' then shown end, case tg_op when 'INSERT' then shown end
    from changed c cross join lateral farm.audited(to_jsonb(c), tg_argv) shown;
  end if;
  return null;
end $$;

-- Writes the changes of a table's rows to the log, but not the columns that are hidden.
create function farm.audit(audited text, variadic hidden text[] default '{}') returns void language plpgsql as $$
declare arguments text := (select coalesce(string_agg(quote_literal(name), ','), '') from unnest(hidden) name);
begin
  execute format('create trigger audit_created after insert on farm.%I referencing new table as changed
    for each statement execute function farm.note_audit(%s)', audited, arguments);
  execute format('create trigger audit_updated after update on farm.%I referencing old table as replaced new table as changed
    for each statement execute function farm.note_audit(%s)', audited, arguments);
  execute format('create trigger audit_deleted after delete on farm.%I referencing old table as changed
    for each statement execute function farm.note_audit(%s)', audited, arguments);
end $$;

select farm.audit(name) from unnest(array[
  'customer', 'orderItem', 'ignoredSku', 'skuOption', 'skuOptionValue', 'skuOptionBinding', 'skuOptionValueFilter',
  'skuOptionProperty', 'skuOptionPropertyValue', 'sku', 'linkedPart', 'costComponent', 'partMaterialAssignment',
  'materialGroup', 'materialGroupMember', 'materialInstance', 'material', 'materialVariant', 'sequence', 'profile', 'layout',
  'folder', 'printerThrottleGroup', 'printerSlot', 'printerModel', 'store', 'gcodeMacro', 'part', 'printer',
  'notificationSetting', 'skuBuild', 'partBuild', 'bedClearing', 'agentCommand']) name;
select farm.audit('order', 'deliveryHash');
select farm.audit('apiKey', 'hash', 'salt', 'lastUsedAt');
select farm.audit('agent', 'tokenHash', 'tokenSalt', 'ackSequence');
select farm.audit('integration', 'secret', 'previousSecret');
-- A build says which jobs it made; what becomes of them by a person's hand is told.
select farm.audit('printJob');
drop trigger audit_created on farm."printJob";

drop function farm.enter(text, text, text);
-- Enters a store for a key; without a version, the key was read just now.
create function farm.enter(store text, key text, version text, origin text) returns void language plpgsql as $$
begin
  perform set_config('gantry.store', store, true), set_config('gantry.key', key, true), set_config('gantry.origin', origin, true);
  if version <> '' then
    perform from farm."apiKey" k where k."storeId" = store and k.id = key and k."updatedAt" = version::timestamptz;
    if not found then
      raise exception 'the key % is not what it was', key using errcode = 'GK001';
    end if;
  end if;
end $$;
