-- A message about a fault names what has the fault, and how the service identifies the sent message, which is updated when the fault ends.
alter table farm."webhookDelivery"
  add column "faultySubject" text,
  add column "messageReference" text,
  add column "resolvedAt" timestamptz(3);
create index on farm."webhookDelivery" ("storeId", "faultySubject", event) where "faultySubject" is not null and "resolvedAt" is null;

-- An update of a sent message waits since the end of the fault.
create or replace function farm.counts() returns table (kind text, name text, count bigint, "oldestSeconds" double precision)
language sql stable security definer set search_path = farm as
$$ select 'outbox', queue, count(*), extract(epoch from now() - min("createdAt")) from farm.outbox group by queue
   union all
   select 'queue', queue, count(*), extract(epoch from now() - min("createdAt")) from farm."queueMessage" group by queue
   union all
   select 'delivery', state, count(id),
       extract(epoch from now() - min(least(now(), greatest("createdAt", "digestAt", "resolvedAt"))) filter (where id is not null))
     from unnest(array['pending', 'held']) state left join farm."webhookDelivery" on status = state group by state
   union all
   select 'job', state, count(j.id), extract(epoch from now() - min(j."createdAt"))
     from unnest(array['Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval',
                       'Ready-for-printer', 'Sending-to-printer', 'Printing', 'Paused']) state
     left join (
       select p.id, p.status, p."createdAt" from farm."printJob" p where p.status = 'Pending'
       union all
       select p.id, p.status, p."createdAt" from farm."printJob" p
       where p.status in ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                          'Sending-to-printer', 'Printing', 'Paused')) j on j.status = state
     group by state
   union all
   select 'agent', case when online then 'online' else 'offline' end, count(id), null
     from unnest(array[true, false]) online left join farm.agent on "isOnline" = online group by online $$;
