-- The parts of a print's time from its start command to its end: heating, pauses and printing. Null of prints that ended before.
alter table farm."printJob"
  add column "heatingSeconds" bigint,
  add column "pausedSeconds" bigint,
  add column "pausedAt" timestamptz(3);

-- When a person confirmed that the bed of the job's last attempt is clear.
create function public."bedClearedAt"(j farm."printJob") returns timestamptz language sql stable as
$$ select a."bedClearedAt" from farm."printAttempt" a
   where a."storeId" = j."storeId" and a."printJobId" = j.id and a.attempt = j.attempt $$;
