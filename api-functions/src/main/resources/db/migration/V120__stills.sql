-- What printers' cameras showed last, as long as somebody looks: not written ahead, not in backups, gone after a crash.
create unlogged table farm.still (
  "storeId" text not null references farm.store,
  "printerId" text not null,
  width int not null,
  "wantedAt" timestamptz not null,
  "toldAt" timestamptz,
  "takenAt" timestamptz,
  picture bytea,
  fault text,
  primary key ("storeId", "printerId", width),
  foreign key ("storeId", "printerId") references farm.printer on delete cascade
);
alter table farm.still alter column picture set storage external; -- a JPEG does not shrink any more
alter table farm.still enable row level security;
alter table farm.still force row level security;
create policy store on farm.still to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm.still for select to gantry_lookup using (true);
grant select, insert, update, delete on farm.still to gantry_app;
grant select on farm.still to gantry_lookup;

create function farm.stores_with_unwanted_stills() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct s."storeId" from farm.still s where s."wantedAt" < now() - interval '2 minutes' $$;
alter function farm.stores_with_unwanted_stills() owner to gantry_lookup;
revoke all on function farm.stores_with_unwanted_stills() from public;
grant execute on function farm.stores_with_unwanted_stills() to gantry_app;
