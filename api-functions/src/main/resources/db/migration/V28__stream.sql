-- What a stream tells of: what each printer shows, by the transaction that last changed it, and the moves of jobs. Both
-- are told in the order of their transactions, of which one is told when no older one is open any more.
alter table farm."printerState" add column changed xid8 not null default pg_current_xact_id();
create index on farm."printerState" ("storeId", changed);

create table farm."jobMove" (
  "storeId" text not null references farm.store,
  id bigint primary key generated always as identity,
  changed xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default now(),
  "printJobId" text not null,
  "previousStatus" text,
  status text not null,
  "assignedPrinterId" text,
  attempt integer not null
);
create index on farm."jobMove" ("storeId", changed, id);
create index on farm."jobMove" (at);

alter table farm."jobMove" enable row level security;
alter table farm."jobMove" force row level security;
create policy store on farm."jobMove" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy forget on farm."jobMove" to gantry_lookup using (true);
grant select, insert on farm."jobMove" to gantry_app;
grant select, delete on farm."jobMove" to gantry_lookup;

create function farm.note_new_jobs() returns trigger language plpgsql as $$
begin
  insert into farm."jobMove" ("storeId", "printJobId", status, "assignedPrinterId", attempt)
  select j."storeId", j.id, j.status, j."assignedPrinterId", j.attempt from jobs j;
  return null;
end $$;
create trigger noted_new after insert on farm."printJob" referencing new table as jobs
for each statement execute function farm.note_new_jobs();

create function farm.note_moved_jobs() returns trigger language plpgsql as $$
begin
  insert into farm."jobMove" ("storeId", "printJobId", "previousStatus", status, "assignedPrinterId", attempt)
  select j."storeId", j.id, b.status, j.status, j."assignedPrinterId", j.attempt
  from jobs j join before b on b."storeId" = j."storeId" and b.id = j.id where b.status <> j.status;
  return null;
end $$;
create trigger noted_moved after update on farm."printJob" referencing old table as before new table as jobs
for each statement execute function farm.note_moved_jobs();

-- A printer whose agent is lost shows itself offline, though it reports nothing.
create function farm.note_reach() returns trigger language plpgsql as $$
begin
  update farm."printerState" set changed = pg_current_xact_id()
  where "storeId" = new."storeId" and "printerId" = new.id;
  return null;
end $$;
create trigger noted_reach after update of "isOnline" on farm.printer
for each row when (old."isOnline" is distinct from new."isOnline") execute function farm.note_reach();

create function farm.forget_job_moves(before timestamptz) returns void
language sql security definer set search_path = farm as
$$ delete from farm."jobMove" where at < before $$;
alter function farm.forget_job_moves(timestamptz) owner to gantry_lookup;
revoke all on function farm.forget_job_moves(timestamptz) from public;
grant execute on function farm.forget_job_moves(timestamptz) to gantry_app;
