-- Deleting a record clears what referred to it; whoever polls by updatedAt is to see that too.
create function farm.touched() returns trigger language plpgsql as $$
begin
  new."updatedAt" = greatest(now(), old."updatedAt" + interval '1 ms');
  return new;
end $$;
create trigger touched before update of "proxyClientId", "throttleGroupId", "integrationId" on farm.printer
  for each row when (new."updatedAt" = old."updatedAt") execute function farm.touched();
create trigger touched before update of "integrationId" on farm.profile
  for each row when (new."updatedAt" = old."updatedAt") execute function farm.touched();
create trigger touched before update of "materialId", "variantId", "instanceId" on farm."printerSlot"
  for each row when (new."updatedAt" = old."updatedAt") execute function farm.touched();
