-- Places for filament at the printers, and what a person says is in them.
create table farm."printerSlot" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "printerId" text not null,
  "amsIndex" integer not null,
  "slotIndex" integer not null,
  slot text not null,
  "materialId" text,
  "variantId" text,
  "instanceId" text,
  "materialType" text,
  "expectedData" json,
  primary key ("storeId", id),
  unique ("storeId", "printerId", "amsIndex", "slotIndex"),
  foreign key ("storeId", "printerId") references farm.printer on delete cascade,
  foreign key ("storeId", "materialId") references farm.material on delete set null ("materialId"),
  foreign key ("storeId", "variantId") references farm."materialVariant" on delete set null ("variantId"),
  foreign key ("storeId", "instanceId") references farm."materialInstance" on delete set null ("instanceId")
);
create index on farm."printerSlot" ("storeId", "createdAt", id);
create index on farm."printerSlot" ("storeId", "materialId") where "materialId" is not null;
create index on farm."printerSlot" ("storeId", "variantId") where "variantId" is not null;
create index on farm."printerSlot" ("storeId", "instanceId") where "instanceId" is not null;

alter table farm."printerSlot" enable row level security;
alter table farm."printerSlot" force row level security;
create policy store on farm."printerSlot" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."printerSlot" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."printerSlot" to gantry_app;
