-- Orders to print whole SKUs; each holds the builds of its parts.
create table farm."skuBuild" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "skuId" text not null,
  "skuName" text not null,
  "orderId" text,
  "orderItemId" text,
  quantity integer not null,
  priority integer not null,
  parameters json not null,
  status text not null,
  "startedAt" timestamptz(3),
  "completedAt" timestamptz(3),
  "cancelledAt" timestamptz(3),
  dismissed boolean not null,
  primary key ("storeId", id)
);
create index on farm."skuBuild" ("storeId", "createdAt", id);
create index on farm."skuBuild" ("storeId", "orderId") where "orderId" is not null;

alter table farm."partBuild" add foreign key ("storeId", "skuBuildId") references farm."skuBuild";
create index on farm."partBuild" ("storeId", "skuBuildId") where "skuBuildId" is not null;

alter table farm."skuBuild" enable row level security;
alter table farm."skuBuild" force row level security;
create policy store on farm."skuBuild" to gantry_app using ("storeId" = current_setting('gantry.store', true));
create policy lookup on farm."skuBuild" for select to gantry_lookup using (true);
grant select, insert, update, delete on farm."skuBuild" to gantry_app;
