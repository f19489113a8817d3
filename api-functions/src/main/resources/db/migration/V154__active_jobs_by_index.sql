-- Written as the two partial indexes are, so that these serve: the table of jobs grows with the farm's history, and this is
-- asked every few seconds.
create or replace function farm.stores_with_active_jobs() returns setof text
language sql stable security definer set search_path = farm as
$$ select j."storeId" from farm."printJob" j where j.status = 'Pending'
   union
   select j."storeId" from farm."printJob" j
   where j.status in ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer',
                      'Sending-to-printer', 'Printing', 'Paused')
   union select c."storeId" from farm."bedClearing" c $$;

create or replace function farm.counts() returns table (kind text, name text, count bigint, "oldestSeconds" double precision)
language sql stable security definer set search_path = farm as
$$ select 'outbox', queue, count(*), extract(epoch from now() - min("createdAt")) from farm.outbox group by queue
   union all
   select 'queue', queue, count(*), extract(epoch from now() - min("createdAt")) from farm."queueMessage" group by queue
   union all
   select 'delivery', state, count(id), extract(epoch from now() - min("createdAt"))
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
