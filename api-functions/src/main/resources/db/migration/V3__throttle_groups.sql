-- Printers that start one after another.
create table farm."printerThrottleGroup" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  enabled boolean not null,
  "maxConcurrentStarts" integer not null,
  "fallbackTimeoutSeconds" integer not null,
  "temperatureToleranceC" double precision not null,
  "releaseConditions" json not null,
  primary key ("storeId", id)
);
create index on farm.printer ("storeId", "throttleGroupId") where "throttleGroupId" is not null;

alter table farm."printerThrottleGroup" enable row level security;
alter table farm."printerThrottleGroup" force row level security;
create policy store on farm."printerThrottleGroup" to gantry_app
  using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."printerThrottleGroup" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."printerThrottleGroup" to gantry_app;
