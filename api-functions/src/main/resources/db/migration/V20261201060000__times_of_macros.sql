-- When a macro had cleared the bed after a print, from which finish times learn how long it takes.
alter table farm."printAttempt" add column "macroClearedAt" timestamptz(3);

create or replace function public."bedClearedAt"(j farm."printJob") returns timestamptz language sql stable as
$$ select coalesce(a."bedClearedAt", a."macroClearedAt") from farm."printAttempt" a
   where a."storeId" = j."storeId" and a."printJobId" = j.id and a.attempt = j.attempt $$;
