-- Numbers over all stores, for alarms: the agents that are online, and those that were within the last day, which should be.
create function farm.agent_presence() returns table (online bigint, expected bigint)
language sql stable security definer set search_path = farm as
$$ select count(*) filter (where "isOnline"), count(*) filter (where "isOnline" or "lastSeenAt" > now() - interval '1 day')
   from farm.agent $$;
alter function farm.agent_presence() owner to gantry_lookup;
revoke all on function farm.agent_presence() from public;
grant execute on function farm.agent_presence() to gantry_app;
