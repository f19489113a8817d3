-- Every print that ended on a printer. A job that is retried forgets its earlier attempts; what a printer did stays here.
create table farm."printAttempt" (
  "storeId" text not null references farm.store,
  "printJobId" text not null,
  attempt integer not null,
  "printerId" text not null,
  status text not null,
  "startedAt" timestamptz(3) not null,
  "endedAt" timestamptz(3) not null,
  grams double precision,
  primary key ("storeId", "printJobId", attempt)
);
create index on farm."printAttempt" ("storeId", "printerId", "endedAt");

create function farm.note_print_attempts() returns trigger language plpgsql as $$
begin
  insert into farm."printAttempt"
  select j."storeId", j.id, j.attempt, j."assignedPrinterId", j.status, j."printingStartedAt", j."finishedAt",
    coalesce(j."actualGrams", case when j.status = 'Completed' then j."estimatedGrams" end)
  from jobs j
  where j.status in ('Completed', 'Failed', 'Cancelled') and j."assignedPrinterId" is not null
    and j."printingStartedAt" is not null and j."finishedAt" is not null
  on conflict ("storeId", "printJobId", attempt) do update
  set status = excluded.status, "endedAt" = excluded."endedAt", grams = excluded.grams;
  return null;
end $$;
create trigger noted_attempt after update on farm."printJob" referencing new table as jobs
for each statement execute function farm.note_print_attempts();

insert into farm."printAttempt"
select "storeId", id, attempt, "assignedPrinterId", status, "printingStartedAt", "finishedAt",
  coalesce("actualGrams", case when status = 'Completed' then "estimatedGrams" end)
from farm."printJob"
where status in ('Completed', 'Failed', 'Cancelled') and "assignedPrinterId" is not null
  and "printingStartedAt" is not null and "finishedAt" is not null;

alter table farm."printAttempt" enable row level security;
alter table farm."printAttempt" force row level security;
create policy store on farm."printAttempt" to gantry_app using ("storeId" = current_setting('gantry.store', true));
grant select, insert, update on farm."printAttempt" to gantry_app;
