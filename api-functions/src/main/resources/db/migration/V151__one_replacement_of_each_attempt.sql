-- A job that was replaced, done again and failed again is replaced again: one job takes the place of each attempt. The index of
-- jobs alone stood from before attempts were told apart, and refused the second one with all that the agent said with it.
drop index farm."printJob_storeId_replacesJobId_idx";

-- Nor does the replacement of an earlier attempt stand for the one that failed now.
create or replace function farm.counted_jobs(store text, item text)
returns table (queued bigint, printing bigint, done bigint, failed bigint)
language sql stable as
$$ select
     count(*) filter (where j.status in ('Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing',
                                         'Waiting-for-approval', 'Ready-for-printer')),
     count(*) filter (where j.status in ('Sending-to-printer', 'Printing', 'Paused')),
     count(*) filter (where j.status = 'Completed' and coalesce(j.rejected, 0) = 0),
     count(*) filter (where (j.status = 'Failed' or j.rejected > 0) and not exists (
       select from farm."printJob" r where r."storeId" = store and r."replacesJobId" = j.id
         and coalesce(r."replacesAttempt", j.attempt) = j.attempt))
   from farm."printJob" j where j."storeId" = store and j."orderItemId" = item $$;
