-- Functions in plpgsql keep one plan for all calls; those in SQL, given an array of ids, were planned for every row.
drop function public.progress(farm."orderItem");
drop function public.progress(farm."order");
drop function farm.progress(text, bigint, text[]);

-- An item's jobs by how far they are; of failed ones those that no other took the place of. Becomes part of the statements
-- that call it.
create function farm.counted_jobs(store text, item text)
returns table (queued bigint, printing bigint, done bigint, failed bigint)
language sql stable as
$$ select
     count(*) filter (where j.status in ('Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing',
                                         'Waiting-for-approval', 'Ready-for-printer')),
     count(*) filter (where j.status in ('Sending-to-printer', 'Printing', 'Paused')),
     count(*) filter (where j.status = 'Completed'),
     count(*) filter (where j.status = 'Failed' and not exists (
       select from farm."printJob" r where r."storeId" = store and r."replacesJobId" = j.id))
   from farm."printJob" j where j."storeId" = store and j."orderItemId" = item $$;

create function public.progress(i farm."orderItem") returns json
language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'wanted', i.quantity * coalesce((select sum((p->>'copies')::bigint) from json_array_elements(i.pieces) p), 0)::bigint,
      'queued', jobs.queued, 'printing', jobs.printing, 'done', jobs.done, 'failed', jobs.failed)
    from farm.counted_jobs(i."storeId", i.id) jobs);
end $$;

-- The sum over its items; those that are ignored want nothing.
create function public.progress(o farm."order") returns json
language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'wanted', coalesce(sum(case when i.ignored then 0 else i.quantity * (
        select sum((p->>'copies')::bigint) from json_array_elements(i.pieces) p) end), 0)::bigint,
      'queued', coalesce(sum(jobs.queued), 0)::bigint,
      'printing', coalesce(sum(jobs.printing), 0)::bigint,
      'done', coalesce(sum(jobs.done), 0)::bigint,
      'failed', coalesce(sum(jobs.failed), 0)::bigint)
    from farm."orderItem" i cross join lateral farm.counted_jobs(i."storeId", i.id) jobs
    where i."storeId" = o."storeId" and i."orderId" = o.id);
end $$;
