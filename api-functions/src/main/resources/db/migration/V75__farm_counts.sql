-- Numbers over all stores, for whoever watches the install: nothing in them tells of one store.
alter table farm."queueMessage" add column "createdAt" timestamptz(3) not null default now();

grant select on farm.outbox, farm."queueMessage", farm."webhookDelivery", farm."printJob", farm.agent to gantry_lookup;
create function farm.counts() returns table (kind text, name text, count bigint, "oldestSeconds" double precision)
language sql stable security definer set search_path = farm as
$$ select 'outbox', queue, count(*), extract(epoch from now() - min("createdAt")) from farm.outbox group by queue
   union all
   select 'queue', queue, count(*), extract(epoch from now() - min("createdAt")) from farm."queueMessage" group by queue
   union all
   select 'delivery', state, count(id), extract(epoch from now() - min("createdAt"))
     from unnest(array['pending', 'held']) state left join farm."webhookDelivery" on status = state group by state
   union all
   select 'job', state, count(id), extract(epoch from now() - min("createdAt"))
     from unnest(array['Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval',
                       'Ready-for-printer', 'Sending-to-printer', 'Printing', 'Paused']) state
     left join farm."printJob" on status = state group by state
   union all
   select 'agent', case when online then 'online' else 'offline' end, count(id), null
     from unnest(array[true, false]) online left join farm.agent on "isOnline" = online group by online $$;
alter function farm.counts() owner to gantry_lookup;
revoke all on function farm.counts() from public;
grant execute on function farm.counts() to gantry_app;
