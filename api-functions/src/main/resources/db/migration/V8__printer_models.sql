-- Makes of printers that the operator knows, beside those of the installed slicers.
create table farm."printerModel" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "vendorModelId" bigint not null,
  "vendorName" text not null,
  "modelName" text not null,
  "nozzleDiameters" json not null,
  "bedSize" json,
  primary key ("storeId", id)
);
create unique index "onePrinterModelOfAName" on farm."printerModel" ("storeId", "vendorModelId");
create index on farm."printerModel" ("storeId", "createdAt", id);

alter table farm."printerModel" enable row level security;
alter table farm."printerModel" force row level security;
create policy store on farm."printerModel" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."printerModel" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."printerModel" to gantry_app;
