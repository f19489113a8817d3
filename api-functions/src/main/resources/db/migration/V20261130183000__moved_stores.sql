-- Stores that are moved to another installation: no transaction enters them. Without an address, the export is under way or
-- its end has not been announced.
create table farm."movedStore" (
  "storeId" text primary key references farm.store,
  "createdAt" timestamptz(3) not null default now(),
  address text
);
select farm.store_table('movedStore');
grant select on farm."movedStore" to gantry_lookup;

-- Fails in a store that is moved. The address is the detail of the error.
create function farm.refuse_moved_store(store text) returns void language plpgsql stable as $$
declare moved farm."movedStore";
begin
  select * into moved from farm."movedStore" m where m."storeId" = store;
  if found then
    raise exception 'store % is moved', store using errcode = 'GK002', detail = coalesce(moved.address, '');
  end if;
end $$;

-- Enters a store.
create function farm.open_store(store text) returns void language plpgsql as $$
begin
  perform set_config('gantry.store', store, true);
  perform farm.refuse_moved_store(store);
end $$;

create or replace function farm.enter(store text, key text, version text, origin text) returns void language plpgsql as $$
begin
  perform set_config('gantry.store', store, true), set_config('gantry.key', key, true), set_config('gantry.origin', origin, true);
  perform farm.refuse_moved_store(store);
  if version <> '' then
    perform from farm."apiKey" k where k."storeId" = store and k.id = key and k."updatedAt" = version::timestamptz;
    if not found then
      raise exception 'the key % is not what it was', key using errcode = 'GK001';
    end if;
  end if;
end $$;

-- Background work leaves these stores out.
create function farm.moved_stores() returns setof text
language sql stable security definer set search_path = farm as
$$ select "storeId" from farm."movedStore" $$;
alter function farm.moved_stores() owner to gantry_lookup;
revoke all on function farm.moved_stores() from public;
grant execute on function farm.moved_stores() to gantry_app;

create or replace function farm.agent_presence() returns table (online bigint, expected bigint)
language sql stable security definer set search_path = farm as
$$ select count(*) filter (where "isOnline"), count(*) filter (where "isOnline" or "lastSeenAt" > now() - interval '1 day')
   from farm.agent where "storeId" not in (select "storeId" from farm."movedStore") $$;

-- An update of a sent message waits since the end of its fault.
create or replace function farm.counts() returns table (kind text, name text, count bigint, "oldestSeconds" double precision)
language sql stable security definer set search_path = farm as
$$ select 'outbox', queue, count(*), extract(epoch from now() - min("createdAt")) from farm.outbox
     where "storeId" not in (select "storeId" from farm."movedStore") group by queue
   union all
   select 'queue', queue, count(*), extract(epoch from now() - min("createdAt")) from farm."queueMessage"
     where "ofStore" is null or "ofStore" not in (select "storeId" from farm."movedStore") group by queue
   union all
   select 'delivery', state, count(id),
       extract(epoch from now() - min(least(now(), greatest("createdAt", "digestAt", "resolvedAt"))) filter (where id is not null))
     from unnest(array['pending', 'held']) state
     left join farm."webhookDelivery" on status = state and "storeId" not in (select "storeId" from farm."movedStore")
     group by state
   union all
   select 'job', state, count(j.id), extract(epoch from now() - min(j."createdAt"))
     from unnest(array['Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval',
                       'Ready-for-printer', 'Sending-to-printer', 'Printing', 'Paused']) state
     left join (
       select p.id, p.status, p."createdAt", p."storeId" from farm."printJob" p where p.status = 'Pending'
       union all
       select p.id, p.status, p."createdAt", p."storeId" from farm."printJob" p
       where p.status in ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                          'Sending-to-printer', 'Printing', 'Paused')) j
       on j.status = state and j."storeId" not in (select "storeId" from farm."movedStore")
     group by state
   union all
   select 'agent', case when online then 'online' else 'offline' end, count(id), null
     from unnest(array[true, false]) online
     left join farm.agent on "isOnline" = online and "storeId" not in (select "storeId" from farm."movedStore")
     group by online $$;

-- The transactions of the current role that are open in this database, each until it ends.
create function farm.open_transactions() returns setof text
language sql volatile as
$$ select l.virtualtransaction from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'virtualxid' and l.pid <> pg_backend_pid()
     and a.datid = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
     and a.usesysid = (select r.oid from pg_catalog.pg_roles r where r.rolname = current_user) $$;

-- Rows of a store that comes from another installation were noted there: nothing is noted twice.
create function farm.is_importing() returns boolean language sql stable as
$$ select coalesce(current_setting('gantry.importing', true) = 'on', false) $$;

create or replace function farm.note_new_jobs() returns trigger language plpgsql as $$
begin
  if farm.is_importing() then
    return null;
  end if;
  insert into farm."jobMove" ("storeId", "printJobId", status, "assignedPrinterId", attempt)
  select j."storeId", j.id, j.status, j."assignedPrinterId", j.attempt from jobs j;
  insert into farm."endedJobCount" ("storeId", jobs)
  select "storeId", count(*) from jobs where status in ('Completed', 'Failed', 'Cancelled') group by 1;
  return null;
end $$;

create or replace function farm.note_record_changes() returns trigger language plpgsql as $$
begin
  if farm.is_importing() then
    return null;
  end if;
  insert into farm."recordChange" ("storeId", type, "recordId", change)
  select r."storeId", tg_table_name, r.id, tg_argv[0] from records r;
  return null;
end $$;

create or replace function farm.note_first_promise() returns trigger language plpgsql as $$
begin
  if farm.is_importing() then
    return new;
  end if;
  select p."firstPromisedAt", p."firstPromisedBy", p."reportedAt", p."reportedSeconds", p."extrapolatedSeconds"
    into new."promisedAt", new."promisedBy", new."reportedAt", new."reportedSeconds", new."extrapolatedSeconds"
  from farm."jobPromise" p where p."storeId" = new."storeId" and p."printJobId" = new."printJobId";
  return new;
end $$;

-- Positions of the event streams of a store that comes from another installation belong to the transactions of that one.
alter table farm.store add column "streamEpoch" text not null default '';

-- The store and its profiles refer to each other; an import inserts the store first.
alter table farm.store
  alter constraint "store_storeId_defaultMachineProfileId_fkey" deferrable initially immediate,
  alter constraint "store_storeId_defaultProcessProfileId_fkey" deferrable initially immediate,
  alter constraint "store_storeId_defaultFilamentProfileId_fkey" deferrable initially immediate;
