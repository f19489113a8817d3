-- One delivery looked for old ones each time, and of two indexes that begin alike the planner took the wrong one for both.
drop index farm."signedDelivery_storeId_integrationId_createdAt_idx";
create index on farm."signedDelivery" ("createdAt");

create policy forget on farm."signedDelivery" to gantry_lookup using (true);
grant select, delete on farm."signedDelivery" to gantry_lookup;
create function farm.forget_signed_deliveries(days integer) returns void
language sql security definer set search_path = farm as
$$ delete from farm."signedDelivery" where "createdAt" < now() - days * interval '1 day' $$;
alter function farm.forget_signed_deliveries(integer) owner to gantry_lookup;
revoke all on function farm.forget_signed_deliveries(integer) from public;
grant execute on function farm.forget_signed_deliveries(integer) to gantry_app;

-- An integration is found by its id before its store is known.
create index on farm.integration (id);
