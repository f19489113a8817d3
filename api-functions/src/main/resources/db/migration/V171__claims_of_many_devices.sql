-- Claims the devices for the printers beside them; returns those that a printer of any store has, in their order.
create function farm.claim_devices(devices text[], store text, printers text[]) returns setof text
language sql security definer set search_path = farm as
$$ with wanted as (select * from unnest(devices, printers) with ordinality as each(device, printer, place)),
   claimed as (
     insert into farm."deviceClaim" select device, store, printer from wanted order by device, place
     on conflict do nothing returning "deviceId", "printerId")
   select device from wanted
   where not exists (select from claimed where "deviceId" = device and "printerId" = printer) order by place $$;

create function farm.release_devices(devices text[], store text) returns void
language sql security definer set search_path = farm as
$$ delete from farm."deviceClaim" where "deviceId" = any(devices) and "storeId" = store $$;

do $$
declare f text;
begin
  foreach f in array array['claim_devices(text[], text, text[])', 'release_devices(text[], text)'] loop
    execute 'alter function farm.' || f || ' owner to gantry_lookup';
    execute 'revoke all on function farm.' || f || ' from public';
    execute 'grant execute on function farm.' || f || ' to gantry_app';
  end loop;
end $$;
