-- What buyers choose of SKUs, and what follows from it.
create table farm."skuOption" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  "isPersonalization" boolean not null,
  primary key ("storeId", id)
);

create table farm."skuOptionValue" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "optionId" text not null,
  name text not null,
  "skuSuffixes" json not null,
  "order" integer not null,
  primary key ("storeId", id),
  foreign key ("storeId", "optionId") references farm."skuOption" on delete cascade
);
create index on farm."skuOptionValue" ("storeId", "optionId");

create table farm."skuOptionBinding" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "optionId" text not null,
  "skuId" text not null,
  "order" integer not null,
  "filterMode" text,
  primary key ("storeId", id),
  unique ("storeId", "skuId", "optionId"),
  foreign key ("storeId", "optionId") references farm."skuOption",
  foreign key ("storeId", "skuId") references farm.sku on delete cascade
);
create index on farm."skuOptionBinding" ("storeId", "optionId");

create table farm."skuOptionValueFilter" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "bindingId" text not null,
  "skuId" text not null,
  "optionId" text not null,
  "optionValueId" text not null,
  primary key ("storeId", id),
  unique ("storeId", "bindingId", "optionValueId"),
  foreign key ("storeId", "bindingId") references farm."skuOptionBinding" on delete cascade,
  foreign key ("storeId", "skuId") references farm.sku on delete cascade,
  foreign key ("storeId", "optionId") references farm."skuOption" on delete cascade,
  foreign key ("storeId", "optionValueId") references farm."skuOptionValue" on delete cascade
);
create index on farm."skuOptionValueFilter" ("storeId", "skuId");
create index on farm."skuOptionValueFilter" ("storeId", "optionId");
create index on farm."skuOptionValueFilter" ("storeId", "optionValueId");

create table farm."skuOptionProperty" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "optionId" text not null,
  "bindingId" text not null,
  "bindingId2" text,
  "bindingId3" text,
  name text not null,
  type text not null,
  "order" integer not null,
  primary key ("storeId", id),
  foreign key ("storeId", "optionId") references farm."skuOption" on delete cascade,
  foreign key ("storeId", "bindingId") references farm."skuOptionBinding" on delete cascade,
  foreign key ("storeId", "bindingId2") references farm."skuOptionBinding" on delete cascade,
  foreign key ("storeId", "bindingId3") references farm."skuOptionBinding" on delete cascade
);
create index on farm."skuOptionProperty" ("storeId", "optionId");
create index on farm."skuOptionProperty" ("storeId", "bindingId");
create index on farm."skuOptionProperty" ("storeId", "bindingId2") where "bindingId2" is not null;
create index on farm."skuOptionProperty" ("storeId", "bindingId3") where "bindingId3" is not null;

create table farm."skuOptionPropertyValue" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "propertyId" text not null,
  "optionValueId" text not null,
  "optionValueId2" text,
  "optionValueId3" text,
  "textValue" text,
  "materialValue" json,
  "plateQuantitiesValue" json,
  primary key ("storeId", id),
  unique nulls not distinct ("storeId", "propertyId", "optionValueId", "optionValueId2", "optionValueId3"),
  foreign key ("storeId", "propertyId") references farm."skuOptionProperty" on delete cascade,
  foreign key ("storeId", "optionValueId") references farm."skuOptionValue" on delete cascade,
  foreign key ("storeId", "optionValueId2") references farm."skuOptionValue" on delete cascade,
  foreign key ("storeId", "optionValueId3") references farm."skuOptionValue" on delete cascade
);
create index on farm."skuOptionPropertyValue" ("storeId", "optionValueId");
create index on farm."skuOptionPropertyValue" ("storeId", "optionValueId2") where "optionValueId2" is not null;
create index on farm."skuOptionPropertyValue" ("storeId", "optionValueId3") where "optionValueId3" is not null;

do $$
declare t text;
begin
  foreach t in array array['skuOption', 'skuOptionValue', 'skuOptionBinding', 'skuOptionValueFilter',
                           'skuOptionProperty', 'skuOptionPropertyValue'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;
