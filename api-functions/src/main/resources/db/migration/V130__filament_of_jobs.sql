-- What a spool cost, where it was not what its variant or material costs.
alter table farm."materialInstance" add column "pricePer1000g" integer;

-- Whether a job waits for a spool that suffices for it.
alter table farm.store add column "requireSufficientMaterial" boolean not null default false;

-- The filament of each attempt of a job by the slot it comes from: a share of the job's grams, reserved on the slot's spool
-- while the attempt is under way and used once "usedGrams" says how much. What is reserved is always summed, never kept, so
-- that it cannot drift from the jobs.
create table farm."filamentUse" (
  "storeId" text not null references farm.store,
  "printJobId" text not null,
  attempt integer not null,
  "amsIndex" integer not null,
  "slotIndex" integer not null,
  "instanceId" text,
  share double precision not null,
  "usedGrams" double precision check ("usedGrams" >= 0),
  "pricePer1000g" double precision,
  "usedAt" timestamptz(3),
  primary key ("storeId", "printJobId", attempt, "amsIndex", "slotIndex"),
  foreign key ("storeId", "instanceId") references farm."materialInstance" on delete set null ("instanceId")
);
create index on farm."filamentUse" ("storeId", "instanceId") where "instanceId" is not null;
create index on farm."filamentUse" ("storeId", "usedAt") where "usedAt" is not null;

alter table farm."filamentUse" enable row level security;
alter table farm."filamentUse" force row level security;
create policy store on farm."filamentUse" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."filamentUse" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."filamentUse" to gantry_app;

-- Jobs that are under way when this is installed share their filaments equally; they have a printer and a mapping.
insert into farm."filamentUse" ("storeId", "printJobId", attempt, "amsIndex", "slotIndex", "instanceId", share)
select u."storeId", u.id, u.attempt, u."amsIndex", u."slotIndex", s."instanceId", u.share
from (select j."storeId", j.id, j.attempt, j."assignedPrinterId", (m.value->>'amsIndex')::integer as "amsIndex",
        (m.value->>'slotIndex')::integer as "slotIndex",
        count(*) / sum(count(*)) over (partition by j."storeId", j.id) as share
      from farm."printJob" j, json_each(j."materialMapping") m
      where j.status in ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                         'Sending-to-printer', 'Printing', 'Paused')
      group by 1, 2, 3, 4, 5, 6) u
left join farm."printerSlot" s on s."storeId" = u."storeId" and s."printerId" = u."assignedPrinterId"
  and s."amsIndex" = u."amsIndex" and s."slotIndex" = u."slotIndex";

-- The grams that jobs under way will still take from a spool, by what is estimated of them.
create function public."reservedGrams"(i farm."materialInstance") returns double precision
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(u.share * j."estimatedGrams"), 0)
    from farm."filamentUse" u
    join farm."printJob" j on j."storeId" = u."storeId" and j.id = u."printJobId" and j.attempt = u.attempt
    where u."storeId" = i."storeId" and u."instanceId" = i.id and u."usedGrams" is null
      and j.status in ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                       'Sending-to-printer', 'Printing', 'Paused'));
end $$;

-- Filament index → grams, of the file as a whole under '' and of each of its plates: asked for again and again.
create function farm.filament_grams(estimate json) returns json
language sql immutable as
$$ select json_object_agg(plates.plate, plates.grams)
   from (select f.plate, json_object_agg(f.index, f.grams) as grams
         from (select '' as plate, m->>'index' as index, sum((m->>'usedGrams')::double precision) as grams
               from json_array_elements(
                 case json_typeof(estimate->'materials') when 'array' then estimate->'materials' else '[]' end) m
               where (m->>'usedGrams')::double precision > 0 group by 2
               union all
               select p->>'plateId', m->>'index', sum((m->>'usedGrams')::double precision)
               from json_array_elements(
                   case json_typeof(estimate->'plates') when 'array' then estimate->'plates' else '[]' end) p
                 cross join lateral json_array_elements(
                   case json_typeof(p->'materials') when 'array' then p->'materials' else '[]' end) m
               where (m->>'usedGrams')::double precision > 0 group by 1, 2) f
         group by 1) plates $$;
alter table farm."partBuild" add column "filamentGrams" json
  generated always as (farm.filament_grams("partCopy"->'slicingEstimate')) stored;
