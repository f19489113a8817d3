-- Temperatures of the last 24 hours, a row for each minute of the day in which a printer reported any. The row of a minute replaces that of
-- the day before, so nothing needs to be deleted. "samples" holds for each sample its second, and of each heater the measured and the target
-- temperature.
create table farm."temperatureMinute" (
  "storeId" text not null,
  "printerId" text not null,
  slot smallint not null,
  minute timestamptz(0) not null,
  heaters text[] not null,
  samples real[] not null,
  primary key ("storeId", "printerId", slot),
  foreign key ("storeId", "printerId") references farm.printer on delete cascade
);
alter table farm."temperatureMinute" enable row level security;
alter table farm."temperatureMinute" force row level security;
alter table farm."temperatureMinute" set
  (fillfactor = 70, autovacuum_analyze_scale_factor = 0.001, autovacuum_analyze_threshold = 1000);
create policy store on farm."temperatureMinute" to gantry_app using ("storeId" = current_setting('gantry.store', true));
grant select, insert, update, delete on farm."temperatureMinute" to gantry_app;
