-- Changes of parts and orders, for those who follow them: written by triggers, so that no path of the code can forget one.
-- Numbered with the moves of jobs, so that a place in a stream is one of both.
create table farm."recordChange" (
  "storeId" text not null references farm.store,
  id bigint primary key default nextval('farm."jobMove_id_seq"'),
  changed xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default now(),
  type text not null,
  "recordId" text not null,
  change text not null
);
create index on farm."recordChange" ("storeId", changed, id);
create index on farm."recordChange" (at);

alter table farm."recordChange" enable row level security;
alter table farm."recordChange" force row level security;
create policy store on farm."recordChange" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy forget on farm."recordChange" to gantry_lookup using (true);
grant select, insert on farm."recordChange" to gantry_app;
grant usage on sequence farm."jobMove_id_seq" to gantry_app;
grant select, delete on farm."recordChange" to gantry_lookup;

create function farm.note_record_changes() returns trigger language plpgsql as $$
begin
  insert into farm."recordChange" ("storeId", type, "recordId", change)
  select r."storeId", tg_table_name, r.id, tg_argv[0] from records r;
  return null;
end $$;
do $$
declare t text;
begin
  foreach t in array array['part', 'order'] loop
    execute format('create trigger noted_created after insert on farm.%I referencing new table as records
      for each statement execute function farm.note_record_changes(''created'')', t);
    execute format('create trigger noted_updated after update on farm.%I referencing new table as records
      for each statement execute function farm.note_record_changes(''updated'')', t);
    execute format('create trigger noted_deleted after delete on farm.%I referencing old table as records
      for each statement execute function farm.note_record_changes(''deleted'')', t);
  end loop;
end $$;

create or replace function farm.forget_job_moves(before timestamptz) returns void
language sql security definer set search_path = farm as
$$ delete from farm."jobMove" where at < before;
   delete from farm."recordChange" where at < before $$;

-- Up to which transaction changes were published to a broker, and which process publishes them.
create table farm."eventPublisher" (
  id text primary key,
  position bigint not null,
  "publishedAt" timestamptz not null default now(),
  holder text not null,
  "heldUntil" timestamptz not null
);
grant select, insert, update on farm."eventPublisher" to gantry_app;
create function farm.all_stores() returns setof text
language sql stable security definer set search_path = farm as
$$ select "storeId" from farm.store $$;
alter function farm.all_stores() owner to gantry_lookup;
revoke all on function farm.all_stores() from public;
grant execute on function farm.all_stores() to gantry_app;

grant select on farm."printerState", farm."notificationSetting" to gantry_lookup;
create function farm.stores_with_changes(after bigint, before bigint) returns setof text
language sql stable security definer set search_path = farm as
$$ select "storeId" from farm."jobMove" where changed > after::text::xid8 and changed < before::text::xid8
   union select "storeId" from farm."recordChange" where changed > after::text::xid8 and changed < before::text::xid8
   union select "storeId" from farm."printerState" where changed > after::text::xid8 and changed < before::text::xid8
   union select "storeId" from farm."notificationSetting"
     where changed > after::text::xid8 and changed < before::text::xid8 $$;
alter function farm.stores_with_changes(bigint, bigint) owner to gantry_lookup;
revoke all on function farm.stores_with_changes(bigint, bigint) from public;
grant execute on function farm.stores_with_changes(bigint, bigint) to gantry_app;
create index on farm."jobMove" (changed);
create index on farm."recordChange" (changed);
create index on farm."printerState" (changed);
