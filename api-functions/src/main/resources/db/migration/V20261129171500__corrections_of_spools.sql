-- A correction is also of the price of one spool, or of the currency in which prints were counted.
alter table farm."costCorrection" add column "instanceId" text, add column currency text;

-- The prints that ended, with what they used and the rates that they keep. Weights that printers did not count are assumed: all of
-- the estimate, or of a print that did not end well the share of its time. A spool was changed where the print before it in the slot
-- was from another.
create or replace function farm.costed_prints(store text, since timestamptz, until timestamptz, order_id text, job_id text)
returns table ("printJobId" text, attempt integer, grams double precision, measured boolean, "spoolCents" double precision,
               "unpricedGrams" double precision, changes integer, "opensOrder" boolean)
language sql stable set search_path = farm as
$$ with ended as (
     select a.*, j."orderId",
       coalesce(used.grams, a.grams, j."estimatedGrams" * case when a.status = 'Completed' then 1 else
         least(1, extract(epoch from a."endedAt" - a."startedAt") / nullif(j."estimatedSeconds", 0)) end, 0) as taken,
       coalesce(used.priced, 0) as priced, coalesce(used.cents, 0) as cents, coalesce(used.changes, 0) as changes,
       j."actualGrams" is not null and j.attempt = a.attempt as measured
     from "printAttempt" a
     join "printJob" j on j."storeId" = store and j.id = a."printJobId"
     left join lateral (
       select sum(u."usedGrams") as grams, sum(u."usedGrams") filter (where v.price is not null) as priced,
         sum(u."usedGrams" * v.price) / 1000 as cents,
         count(*) filter (where u."instanceId" <> (
           select e."instanceId" from "printAttempt" b
           join "filamentUse" e on e."storeId" = store and e."printJobId" = b."printJobId" and e.attempt = b.attempt
             and e."amsIndex" = u."amsIndex" and e."slotIndex" = u."slotIndex" and e."instanceId" is not null
           where b."storeId" = store and b."printerId" = a."printerId" and b."endedAt" <= a."startedAt"
           order by b."endedAt" desc limit 1)) as changes
       from "filamentUse" u
       cross join lateral (select coalesce(
         (select c."pricePer1000g" from "costCorrection" c
          where c."storeId" = store and c."instanceId" = u."instanceId" and c."from" <= a."endedAt" and a."endedAt" < c."to"
            and (c."printerId" is null or c."printerId" = a."printerId")
          order by c."createdAt" desc, c.id desc limit 1), u."pricePer1000g") as price) v
       where u."storeId" = store and u."printJobId" = a."printJobId" and u.attempt = a.attempt and u."usedGrams" is not null
     ) used on true
     where a."storeId" = store and a."endedAt" >= since and a."endedAt" < until
       and (order_id = '' or j."orderId" = order_id) and (job_id = '' or j.id = job_id))
   select e."printJobId", e.attempt, e.taken, e.measured, e.cents, greatest(0, e.taken - e.priced), e.changes::integer,
     e."orderId" is not null and not exists (
       select from "printJob" f join "printAttempt" g on g."storeId" = store and g."printJobId" = f.id
       where f."storeId" = store and f."orderId" = e."orderId"
         and (g."startedAt", g."printJobId", g.attempt) < (e."startedAt", e."printJobId", e.attempt))
   from ended e $$;
