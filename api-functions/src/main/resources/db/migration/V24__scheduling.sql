-- What the scheduler asks of a build's file again and again, taken out of the copy of the part once.
alter table farm."partBuild"
  add column "fileType" text generated always as ("partCopy"->>'type') stored,
  add column "fileNozzleDiameter" text generated always as ("partCopy"#>>'{metadata,nozzleDiameter}') stored,
  add column "fileFilaments" json generated always as
    (case when json_typeof("partCopy"->'materials') = 'array' then "partCopy"->'materials' end) stored,
  add column "bringsProcess" boolean generated always as
    (coalesce(("partCopy"->>'use3MFProcessProfile')::boolean, false) and "partCopy"->>'type' = '3mf') stored;

-- Whether a person looks at each job before it goes to its printer.
alter table farm.store add column "requireApproval" boolean not null default false;

-- Starts that hold a place of their throttle group, until their printer is warm.
create table farm."throttleHold" (
  "storeId" text not null references farm.store,
  "jobId" text not null,
  attempt integer not null,
  "groupId" text not null,
  "printerId" text not null,
  since timestamptz(3) not null,
  primary key ("storeId", "jobId"),
  foreign key ("storeId", "groupId") references farm."printerThrottleGroup" on delete cascade,
  foreign key ("storeId", "printerId") references farm.printer on delete cascade
);
create index on farm."throttleHold" ("storeId", "groupId");
create index on farm."throttleHold" ("storeId", "printerId");

-- Beds that a macro is clearing, by the command that runs it; nobody prints there meanwhile.
create table farm."bedClearing" (
  "storeId" text not null references farm.store,
  "printerId" text not null,
  "commandId" text not null,
  until timestamptz(3) not null,
  primary key ("storeId", "printerId"),
  foreign key ("storeId", "printerId") references farm.printer on delete cascade
);

do $$
declare t text;
begin
  foreach t in array array['throttleHold', 'bedClearing'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;
grant select on farm."bedClearing" to gantry_lookup;

-- Who waits, prints or clears a bed is looked at every now and then.
create or replace function farm.stores_with_active_jobs() returns setof text
language sql stable security definer set search_path = farm as
$$ select distinct j."storeId" from farm."printJob" j
   where j.status in ('Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval',
                      'Ready-for-printer', 'Sending-to-printer', 'Printing', 'Paused')
   union select c."storeId" from farm."bedClearing" c $$;
