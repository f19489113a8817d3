-- What a part's filaments may be printed with, in the order of choice.
create table farm."partMaterialAssignment" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "partId" text not null,
  index integer not null,
  priority integer not null,
  "materialId" text,
  "variantId" text,
  "materialType" text,
  "groupId" text,
  primary key ("storeId", id),
  unique ("storeId", "partId", index, priority),
  check (num_nonnulls("materialId", "variantId", "materialType", "groupId") = 1),
  foreign key ("storeId", "partId") references farm.part on delete cascade,
  foreign key ("storeId", "materialId") references farm.material,
  foreign key ("storeId", "variantId") references farm."materialVariant",
  foreign key ("storeId", "groupId") references farm."materialGroup"
);
create index on farm."partMaterialAssignment" ("storeId", "materialId") where "materialId" is not null;
create index on farm."partMaterialAssignment" ("storeId", "variantId") where "variantId" is not null;
create index on farm."partMaterialAssignment" ("storeId", "groupId") where "groupId" is not null;

alter table farm."partMaterialAssignment" enable row level security;
alter table farm."partMaterialAssignment" force row level security;
create policy store on farm."partMaterialAssignment" to gantry_app
  using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."partMaterialAssignment" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."partMaterialAssignment" to gantry_app;
