-- What a store does about prints that fail, and what it took out of work for it until a person looks.
alter table farm.store
  add column "failurePolicy" json,
  add column "queuePausedAt" timestamptz(3),
  add column "queuePausedReason" text,
  add column "queueResumedAt" timestamptz(3);

alter table farm.printer
  add column "quarantinedAt" timestamptz(3),
  add column "quarantineReason" text,
  -- Failures before it are forgiven.
  add column "quarantineReleasedAt" timestamptz(3);
alter table farm.printer drop column "isAvailable";
alter table farm.printer add column "isAvailable" boolean not null generated always as
  ("isOnline" and enabled and "printingJobId" is null and not "isBusy" and not "isInMaintenance" and "isFit"
   and "quarantinedAt" is null) stored;

alter table farm.part
  add column "heldAt" timestamptz(3),
  add column "heldReason" text,
  add column "holdReleasedAt" timestamptz(3);
create index on farm.part ("storeId") where "heldAt" is not null;

alter table farm."printJob"
  add column "replacesAttempt" integer,
  add column "failedPrinterIds" json not null default '[]',
  add column "policyReason" text,
  add column good integer,
  add column rejected integer,
  add column "qualityReason" text,
  add column "skippedObjects" json not null default '[]';
-- What an attempt of a job did not bring is made again by one job.
create unique index on farm."printJob" ("storeId", "replacesJobId", "replacesAttempt") where "replacesJobId" is not null;

alter table farm."notificationSetting"
  add column "onJobRetried" boolean not null default false,
  add column "onPrinterQuarantined" boolean not null default false,
  add column "onPartHeld" boolean not null default false,
  add column "onQueuePaused" boolean not null default false;

-- The pieces of each print that somebody judged; a print of which none is good counts as one that failed.
alter table farm."printAttempt" add column good integer, add column rejected integer;
create function farm.has_failed(a farm."printAttempt") returns boolean language sql immutable as
$$ select a.status = 'Failed' or coalesce(a.rejected > 0 and a.good = 0, false) $$;

create or replace function farm.note_print_attempts() returns trigger language plpgsql as $$
begin
  insert into farm."printAttempt"
    ("storeId", "printJobId", attempt, "printerId", status, "startedAt", "endedAt", grams, good, rejected)
  select j."storeId", j.id, j.attempt, j."assignedPrinterId", j.status, j."printingStartedAt", j."finishedAt",
    coalesce(j."actualGrams", case when j.status = 'Completed' then j."estimatedGrams" end), j.good, j.rejected
  from jobs j
  where j.status in ('Completed', 'Failed', 'Cancelled') and j."assignedPrinterId" is not null
    and j."printingStartedAt" is not null and j."finishedAt" is not null
  on conflict ("storeId", "printJobId", attempt) do update
  set status = excluded.status, "endedAt" = excluded."endedAt", grams = excluded.grams,
    good = excluded.good, rejected = excluded.rejected;
  return null;
end $$;

-- A print with rejected pieces makes no piece of an order: another does.
create or replace function farm.counted_jobs(store text, item text)
returns table (queued bigint, printing bigint, done bigint, failed bigint)
language sql stable as
$$ select
     count(*) filter (where j.status in ('Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing',
                                         'Waiting-for-approval', 'Ready-for-printer')),
     count(*) filter (where j.status in ('Sending-to-printer', 'Printing', 'Paused')),
     count(*) filter (where j.status = 'Completed' and coalesce(j.rejected, 0) = 0),
     count(*) filter (where (j.status = 'Failed' or j.rejected > 0) and not exists (
       select from farm."printJob" r where r."storeId" = store and r."replacesJobId" = j.id))
   from farm."printJob" j where j."storeId" = store and j."orderItemId" = item $$;
