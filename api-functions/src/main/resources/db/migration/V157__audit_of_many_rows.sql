-- Rows are compared member by member, and only what differs is masked: masking each whole row four times over took longer than
-- the change itself, and a change of twenty thousand rows longer than a statement may.
create function farm.masked(shown jsonb) returns jsonb language sql immutable as
$$ select case when position('"sealed:' in shown::text) = 0 then shown
  else regexp_replace(shown::text, '"sealed:[^"]*"', '"********"', 'g')::jsonb end $$;

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
  hidden text[] := coalesce(tg_argv, '{}');
begin
  if key is null then
    return null;
  elsif tg_op = 'UPDATE' then
    insert into farm."auditLog" ("storeId", id, "createdAt", "updatedAt", action, "entityType", "entityId", "keyId", "keyName",
      address, "requestId", before, after, "sessionName")
    with old_rows as materialized (select to_jsonb(r) as b from replaced r),
      new_rows as materialized (select to_jsonb(c) as a from changed c)
    select store, substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), now(), now(), 'updated', tg_table_name,
      farm.audited_id(a), key, key_name, address, request, d.before, d.after, session_name
    from old_rows join new_rows on farm.audited_id(a) = farm.audited_id(b)
    cross join lateral (
      select jsonb_object_agg(m.name, m.before) as before, jsonb_object_agg(m.name, m.after) as after,
        bool_or(m.name <> 'updatedAt') as differs
      from (
        select e.key as name, farm.masked(b -> e.key) as before, farm.masked(e.value) as after
        from jsonb_each(a) e where e.value is distinct from b -> e.key and e.key <> all(hidden) offset 0) m
      where m.before is distinct from m.after) d
    where d.differs;
  else
    insert into farm."auditLog" ("storeId", id, "createdAt", "updatedAt", action, "entityType", "entityId", "keyId", "keyName",
      address, "requestId", before, after, "sessionName")
    select store, substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), now(), now(),
      case tg_op when 'INSERT' then 'created' else 'deleted' end, tg_table_name, farm.audited_id(shown), key, key_name,
      address, request, case tg_op when 'DELETE' then shown end, case tg_op when 'INSERT' then shown end, session_name
    from (select farm.masked(to_jsonb(c) - hidden) as shown from changed c offset 0) told;
  end if;
  return null;
end $$;

drop function farm.differing(jsonb, jsonb);
drop function farm.audited(jsonb, text[]);
