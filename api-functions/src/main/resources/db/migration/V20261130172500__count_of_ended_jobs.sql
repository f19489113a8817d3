-- The number of ended jobs of each store, as additions: a page of the print history has the total, and counting a million jobs takes long.
-- With one row for each store, all transactions that end a job would wait for each other.
create table farm."endedJobCount" (
  "storeId" text not null references farm.store,
  id bigint generated always as identity,
  jobs bigint not null,
  primary key ("storeId", id)
);
alter table farm."endedJobCount" enable row level security;
alter table farm."endedJobCount" force row level security;
alter table farm."endedJobCount" set (autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
create policy store on farm."endedJobCount" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."endedJobCount" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."endedJobCount" to gantry_app;

insert into farm."endedJobCount" ("storeId", jobs)
select "storeId", count(*) from farm."printJob" where status in ('Completed', 'Failed', 'Cancelled') group by 1;

-- Replaces the additions of a store by their sum after some of them, except those of transactions in progress.
create function farm.sum_ended_jobs() returns trigger language plpgsql as $$
begin
  with summed as (
    delete from farm."endedJobCount" where "storeId" = new."storeId" and id in (
      select id from farm."endedJobCount" where "storeId" = new."storeId" for update skip locked)
    returning jobs)
  insert into farm."endedJobCount" ("storeId", jobs) select new."storeId", sum(jobs) from summed having count(*) > 0;
  return null;
end $$;
create trigger summed after insert on farm."endedJobCount"
for each row when (new.id % 64 = 0) execute function farm.sum_ended_jobs();

create or replace function farm.note_new_jobs() returns trigger language plpgsql as $$
begin
  insert into farm."jobMove" ("storeId", "printJobId", status, "assignedPrinterId", attempt)
  select j."storeId", j.id, j.status, j."assignedPrinterId", j.attempt from jobs j;
  insert into farm."endedJobCount" ("storeId", jobs)
  select "storeId", count(*) from jobs where status in ('Completed', 'Failed', 'Cancelled') group by 1;
  return null;
end $$;

create or replace function farm.note_moved_jobs() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  with moved as materialized (
    select j."storeId", j.id, b.status as previous, j.status, j."assignedPrinterId", j.attempt
    from jobs j join before b on b."storeId" = j."storeId" and b.id = j.id where b.status <> j.status),
  noted as (
    insert into farm."jobMove" ("storeId", "printJobId", "previousStatus", status, "assignedPrinterId", attempt)
    select "storeId", id, previous, status, "assignedPrinterId", attempt from moved)
  insert into farm."endedJobCount" ("storeId", jobs)
  select "storeId", sum(ended) from (
    select "storeId", (status in ('Completed', 'Failed', 'Cancelled'))::int
      - (previous in ('Completed', 'Failed', 'Cancelled'))::int as ended from moved) each
  group by 1 having sum(ended) <> 0;
  return null;
end $$;

create function farm.note_deleted_jobs() returns trigger language plpgsql as $$
begin
  insert into farm."endedJobCount" ("storeId", jobs)
  select "storeId", -count(*) from jobs where status in ('Completed', 'Failed', 'Cancelled') group by 1;
  return null;
end $$;
create trigger counted_deleted after delete on farm."printJob" referencing old table as jobs
for each statement execute function farm.note_deleted_jobs();
