-- Each print keeps the rates that were set when it ended, so that its cost does not follow later changes.
alter table farm."printAttempt"
  add column "costRates" json,
  add column "hourlyRate" double precision,
  add column "modelName" text,
  add column "pricePer1000g" double precision,
  add column currency text,
  add column timezone text;

-- A store's rates with the power of one printer model alone, as a print keeps them.
create function farm.rates_of_model(rates json, model text) returns json language sql immutable as
$$ select case when json_typeof(rates -> 'energy') = 'object' then
     jsonb_set(rates::jsonb, '{energy,models}', coalesce(
       (select jsonb_object_agg(m.key, m.value) from jsonb_each(rates::jsonb #> '{energy,models}') m
        where m.key in (model, '*')), '{}'))::json
     else rates end $$;

-- Prints that ended before this migration keep the rates of today.
with priced as materialized (
  select asked.*, farm.price_of_plate(asked."storeId", asked."partBuildId", asked.plate, nullif(asked.choices, '')::json) as price
  from (select distinct j."storeId", j."partBuildId", coalesce(j.extensions #>> '{3mf,plateId}', '') as plate,
          coalesce(j."materialAssignments"::text, '') as choices
        from farm."printJob" j
        where exists (select from farm."printAttempt" a where a."storeId" = j."storeId" and a."printJobId" = j.id)) asked)
update farm."printAttempt" a
set "costRates" = farm.rates_of_model(s."costRates", p."modelName"), "hourlyRate" = p."hourlyRate", "modelName" = p."modelName",
  "pricePer1000g" = q.price, currency = s.currency, timezone = s.timezone
from farm.store s, farm."printJob" j
left join priced q on q."storeId" = j."storeId" and q."partBuildId" = j."partBuildId"
  and q.plate = coalesce(j.extensions #>> '{3mf,plateId}', '') and q.choices = coalesce(j."materialAssignments"::text, ''),
farm."printAttempt" b left join farm.printer p on p."storeId" = b."storeId" and p.id = b."printerId"
where s."storeId" = a."storeId" and j."storeId" = a."storeId" and j.id = a."printJobId"
  and b."storeId" = a."storeId" and b."printJobId" = a."printJobId" and b.attempt = a.attempt;

create or replace function farm.note_print_attempts() returns trigger language plpgsql as $$
begin
  insert into farm."printAttempt"
    ("storeId", "printJobId", attempt, "printerId", status, "startedAt", "endedAt", grams, good, rejected,
     "costRates", "hourlyRate", "modelName", "pricePer1000g", currency, timezone)
  select j."storeId", j.id, j.attempt, j."assignedPrinterId", j.status, j."printingStartedAt", j."finishedAt",
    coalesce(j."actualGrams", case when j.status = 'Completed' then j."estimatedGrams" end), j.good, j.rejected,
    farm.rates_of_model(s."costRates", p."modelName"), p."hourlyRate", p."modelName",
    farm.price_of_plate(j."storeId", j."partBuildId", coalesce(j.extensions #>> '{3mf,plateId}', ''), j."materialAssignments"),
    s.currency, s.timezone
  from jobs j
  join farm.store s on s."storeId" = j."storeId"
  left join farm.printer p on p."storeId" = j."storeId" and p.id = j."assignedPrinterId"
  where j.status in ('Completed', 'Failed', 'Cancelled') and j."assignedPrinterId" is not null
    and j."printingStartedAt" is not null and j."finishedAt" is not null
  on conflict ("storeId", "printJobId", attempt) do update
  set status = excluded.status, "endedAt" = excluded."endedAt", grams = excluded.grams,
    good = excluded.good, rejected = excluded.rejected;
  return null;
end $$;

-- The prints that ended, with what they used and the rates that they keep. Weights that printers did not count are assumed: all of
-- the estimate, or of a print that did not end well the share of its time. A spool was changed where the print before it in the slot
-- was from another.
drop function farm.costed_prints(text, timestamptz, timestamptz, text, text);
create function farm.costed_prints(store text, since timestamptz, until timestamptz, order_id text, job_id text)
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
       and (order_id = '' or j."orderId" = order_id) and (job_id = '' or j.id = job_id))
   select e."printJobId", e.attempt, e.taken, e.measured, e.cents, greatest(0, e.taken - e.priced), e.changes::integer,
     e."orderId" is not null and not exists (
       select from "printJob" f join "printAttempt" g on g."storeId" = store and g."printJobId" = f.id
       where f."storeId" = store and f."orderId" = e."orderId"
         and (g."startedAt", g."printJobId", g.attempt) < (e."startedAt", e."printJobId", e.attempt))
   from ended e $$;

create table farm."costCorrection" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "from" timestamptz(3) not null,
  "to" timestamptz(3) not null,
  "printerId" text,
  "costRates" json,
  "pricePer1000g" double precision,
  reason text not null,
  primary key ("storeId", id)
);
select farm.store_table('costCorrection');
