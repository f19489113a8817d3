-- Variants that stand in for each other, and the spools on the shelf.
create table farm."materialGroup" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  description text,
  primary key ("storeId", id)
);

create table farm."materialGroupMember" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "groupId" text not null,
  "variantId" text not null,
  primary key ("storeId", id),
  unique ("storeId", "groupId", "variantId"),
  foreign key ("storeId", "groupId") references farm."materialGroup" on delete cascade,
  foreign key ("storeId", "variantId") references farm."materialVariant"
);
create index on farm."materialGroupMember" ("storeId", "variantId");

create table farm."materialInstance" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text,
  "variantId" text,
  "materialId" text,
  "materialType" text,
  "initialGrams" double precision,
  "remainingGrams" double precision,
  identifier text,
  "customMetadata" json not null,
  primary key ("storeId", id),
  foreign key ("storeId", "variantId") references farm."materialVariant",
  foreign key ("storeId", "materialId") references farm.material
);
create index on farm."materialInstance" ("storeId", "variantId") where "variantId" is not null;
create index on farm."materialInstance" ("storeId", "materialId") where "materialId" is not null;

do $$
declare t text;
begin
  foreach t in array array['materialGroup', 'materialGroupMember', 'materialInstance'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;
