-- What a store counts beside filament, and what an hour of a printer costs.
alter table farm.store add column "costRates" json;
alter table farm.printer add column "hourlyRate" double precision;

-- What 1000 g of the filament of a plate cost, by its choices where no spool says it: each filament by the grams of it.
create function farm.price_of_plate(store text, build text, plate text, choices json) returns numeric
language sql stable set search_path = farm as
$$ select coalesce(
     (select sum(f.grams * coalesce(filament_price(store, choices -> f.index, f.type), 0)) / nullif(sum(f.grams), 0)
      from (select m ->> 'index' as index, m ->> 'materialType' as type, (m ->> 'usedGrams')::numeric as grams
            from json_array_elements(coalesce(
              (select p -> 'materials' from json_array_elements(
                 case when json_typeof(b."partCopy" #> '{slicingEstimate,plates}') = 'array'
                      then b."partCopy" #> '{slicingEstimate,plates}' else '[]' end) p
               where p ->> 'plateId' = plate limit 1),
              b."partCopy" #> '{slicingEstimate,materials}', '[]')) m) f),
     filament_price(store, choices -> '0', b."partCopy" #>> '{materials,0,type}'), 0)
   from "partBuild" b where b."storeId" = store and b.id = build $$;

-- The prints that ended: what they used, what that cost, and how many spools were changed for them. What printers did not
-- count is assumed: all of what was estimated, of a print that did not end well the share of its time. A spool was changed
-- where the print before it in the slot was from another.
create function farm.costed_prints(store text, since timestamptz, until timestamptz, order_id text, job_id text)
returns table ("printJobId" text, attempt integer, "printerId" text, "modelName" text, "hourlyRate" double precision,
               "startedAt" timestamptz, "endedAt" timestamptz, grams double precision, measured boolean,
               cents double precision, changes integer, "opensOrder" boolean, scrap boolean)
language sql stable set search_path = farm as
$$ with ended as (
     select a.*, j."partBuildId", coalesce(j.extensions #>> '{3mf,plateId}', '') as plate,
       coalesce(j."materialAssignments"::text, '') as choices, j."orderId",
       coalesce(used.grams, a.grams, j."estimatedGrams" * case when a.status = 'Completed' then 1 else
         least(1, extract(epoch from a."endedAt" - a."startedAt") / nullif(j."estimatedSeconds", 0)) end, 0) as taken,
       coalesce(used.priced, 0) as priced, coalesce(used.cents, 0) as cents, coalesce(used.changes, 0) as changes,
       j."actualGrams" is not null and j.attempt = a.attempt as measured
     from "printAttempt" a
     join "printJob" j on j."storeId" = store and j.id = a."printJobId"
     left join lateral (
       select sum(u."usedGrams") as grams, sum(u."usedGrams") filter (where u."pricePer1000g" is not null) as priced,
         sum(u."usedGrams" * u."pricePer1000g") / 1000 as cents,
         count(*) filter (where u."instanceId" <> (
           select e."instanceId" from "printAttempt" b
           join "filamentUse" e on e."storeId" = store and e."printJobId" = b."printJobId" and e.attempt = b.attempt
             and e."amsIndex" = u."amsIndex" and e."slotIndex" = u."slotIndex" and e."instanceId" is not null
           where b."storeId" = store and b."printerId" = a."printerId" and b."endedAt" <= a."startedAt"
           order by b."endedAt" desc limit 1)) as changes
       from "filamentUse" u
       where u."storeId" = store and u."printJobId" = a."printJobId" and u.attempt = a.attempt and u."usedGrams" is not null
     ) used on true
     where a."storeId" = store and a."endedAt" >= since and a."endedAt" < until
       and (order_id = '' or j."orderId" = order_id) and (job_id = '' or j.id = job_id)),
   priced as materialized (
     select asked."partBuildId", asked.plate, asked.choices,
       price_of_plate(store, asked."partBuildId", asked.plate, nullif(asked.choices, '')::json) as price
     from (select distinct "partBuildId", plate, choices from ended where taken > priced) asked)
   select e."printJobId", e.attempt, e."printerId", p."modelName", p."hourlyRate", e."startedAt", e."endedAt", e.taken,
     e.measured, e.cents + greatest(0, e.taken - e.priced) * coalesce(q.price, 0)::double precision / 1000, e.changes::integer,
     e."orderId" is not null and not exists (
       select from "printJob" f join "printAttempt" g on g."storeId" = store and g."printJobId" = f.id
       where f."storeId" = store and f."orderId" = e."orderId"
         and (g."startedAt", g."printJobId", g.attempt) < (e."startedAt", e."printJobId", e.attempt)),
     e.status <> 'Completed'
   from ended e
   left join printer p on p."storeId" = store and p.id = e."printerId"
   left join priced q on q."partBuildId" = e."partBuildId" and q.plate = e.plate and q.choices = e.choices $$;
