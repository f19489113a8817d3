-- Changes of records for subscribers of a broker that keep copies of records. They are written only while a process publishes
-- to a broker, and up to seven days after the last one did.
alter table farm."recordChange" add column fields text[];

create function farm.has_event_broker() returns boolean language plpgsql stable as $$
begin
  return exists (select from farm."eventPublisher" where id = 'mqtt' and "publishedAt" > now() - interval '7 days');
end $$;

-- "fields" are the columns that an update changed. Parts and orders are written always, because the event stream sends them.
create function farm.note_record_updates() returns trigger language plpgsql as $$
begin
  if not farm.has_event_broker() then
    insert into farm."recordChange" ("storeId", type, "recordId", change)
    select r."storeId", tg_table_name, r.id, 'updated' from records r;
    return null;
  end if;
  insert into farm."recordChange" ("storeId", type, "recordId", change, fields)
  select r."storeId", tg_table_name, r.id, 'updated', array(
    select after.key from jsonb_each(to_jsonb(r)) after where after.value is distinct from to_jsonb(b) -> after.key)
  from records r join before b on b."storeId" = r."storeId" and b.id = r.id
  where tg_argv[0] = 'always' or to_jsonb(r) - 'updatedAt' <> to_jsonb(b) - 'updatedAt';
  return null;
end $$;
alter function farm.note_record_updates() set enable_nestloop = off;

do $$
declare t text;
begin
  foreach t in array array['part', 'order'] loop
    execute format('create or replace trigger noted_updated after update on farm.%I
      referencing old table as before new table as records
      for each statement execute function farm.note_record_updates(''always'')', t);
  end loop;
  foreach t in array array['printer', 'printJob', 'sku', 'material', 'folder'] loop
    execute format('create trigger noted_created after insert on farm.%I referencing new table as records
      for each statement when (farm.has_event_broker()) execute function farm.note_record_changes(''created'')', t);
    execute format('create trigger noted_updated after update on farm.%I
      referencing old table as before new table as records
      for each statement when (farm.has_event_broker()) execute function farm.note_record_updates()', t);
    execute format('create trigger noted_deleted after delete on farm.%I referencing old table as records
      for each statement when (farm.has_event_broker()) execute function farm.note_record_changes(''deleted'')', t);
  end loop;
end $$;
