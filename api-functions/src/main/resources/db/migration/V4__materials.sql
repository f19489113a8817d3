-- Filaments, and the colours they come in.
create table farm.material (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  brand text not null,
  type text not null,
  tags json not null,
  "filamentSystemProfileId" bigint,
  "filamentUserProfileId" text,
  identifier text,
  "externalId" text,
  source text,
  "pricePer1000g" integer,
  starred boolean not null,
  "customMetadata" json not null,
  primary key ("storeId", id)
);

create table farm."materialVariant" (
  "storeId" text not null references farm.store,
  id text not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  name text not null,
  "materialId" text not null,
  color text,
  tags json not null,
  "filamentSystemProfileId" bigint,
  "filamentUserProfileId" text,
  "pricePer1000g" integer,
  primary key ("storeId", id),
  foreign key ("storeId", "materialId") references farm.material
);
create index on farm."materialVariant" ("storeId", "materialId");

do $$
declare t text;
begin
  foreach t in array array['material', 'materialVariant'] loop
    execute format('alter table farm.%I enable row level security', t);
    execute format('alter table farm.%I force row level security', t);
    execute format('create policy store on farm.%I to gantry_app using ("storeId" = current_setting(''gantry.store'', true))', t);
    execute format('create policy lookup on farm.%I for select to gantry_lookup using (true)', t);
    execute format('grant select, insert, update, delete on farm.%I to gantry_app', t);
  end loop;
end $$;
